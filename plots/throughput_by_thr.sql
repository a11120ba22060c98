-- title: Throughput against the threshold
-- question: Does the saved time become packets?
-- caption: Change of the packets sent per second against threshold 0, paired by replication; the legend
-- caption: gives the rate at threshold 0. A path that the backend or the offered load limits stays at
-- caption: 0 whatever the guest saves. Left: all paths. Right, where there are such: the paths that never
-- caption: reach a fifth of the largest change, on their own scale. Bands: {level} confidence.
-- order: 90
-- with: points
, rate AS (
    SELECT x.place, x.label, x.thr, x.level, m.value AS pps,
           max(CASE WHEN x.thr = 0 THEN m.value END)
               OVER (PARTITION BY x.scenario_id, x.label, x.replication) AS base_pps
    FROM ran x JOIN metric m ON m.run_id = x.run_id AND m.name = 'tx_pps'
    WHERE x.sg IS NULL AND x.thr IS NOT NULL AND x.nth <= 12
),
spot AS (
    SELECT place, label, thr, avg(100 * (pps - base_pps) / base_pps) AS change_percent,
           coalesce(half_width(100 * (pps - base_pps) / base_pps, level), 0) AS half_width_percent,
           avg(pps) AS pps, avg(base_pps) AS base_pps
    FROM rate WHERE base_pps > 0 GROUP BY place, label, thr
),
line AS (
    SELECT *, label || printf(' (%,d/s)', CAST(avg(base_pps) OVER (PARTITION BY place) AS INTEGER)) AS name
    FROM spot
),
peak AS (SELECT place, max(abs(change_percent)) AS most FROM line GROUP BY place),
small AS (SELECT place FROM peak WHERE most < 0.2 * (SELECT max(most) FROM peak)),
panel AS (
    SELECT 'all paths' AS panel, place FROM peak
    UNION ALL
    SELECT 'the small ones', place FROM small
    WHERE EXISTS (SELECT 1 FROM peak WHERE place IN (SELECT place FROM small) AND most > 0)
)
SELECT panel, name AS series, thr, change_percent, half_width_percent, pps,
       (SELECT text FROM lines_note) AS note, (SELECT text FROM backend_note) AS note
FROM panel JOIN line USING (place) ORDER BY panel, place, thr
