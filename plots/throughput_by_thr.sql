-- title: Throughput against the threshold
-- question: Does the saved time become packets?
-- caption: Change of the packets sent per second against threshold 0, paired by replication; the legend
-- caption: gives the rate at threshold 0. A path that the backend or the offered load limits stays at
-- caption: 0 whatever the guest saves. Bands: 95 % confidence.
-- order: 90
-- with: points
, rate AS (
    SELECT x.place, x.label, x.thr, m.value AS pps,
           max(CASE WHEN x.thr = 0 THEN m.value END)
               OVER (PARTITION BY x.scenario_id, x.label, x.replication) AS base_pps
    FROM ran x JOIN metric m ON m.run_id = x.run_id AND m.name = 'tx_pps'
    WHERE x.sg IS NULL AND x.thr IS NOT NULL AND x.nth <= 12
)
SELECT label || printf(' (%,d/s)', CAST(avg(base_pps) OVER (PARTITION BY place) AS INTEGER)) AS series,
       thr, change_percent, half_width_percent, pps
FROM (SELECT place, label, thr, avg(100 * (pps - base_pps) / base_pps) AS change_percent,
             coalesce(half_width(100 * (pps - base_pps) / base_pps), 0) AS half_width_percent,
             avg(pps) AS pps, avg(base_pps) AS base_pps
      FROM rate WHERE base_pps > 0 GROUP BY place, label, thr)
ORDER BY place, thr
