-- title: Throughput and host CPU by completion policy
-- question: What does the rule that queues the worker on a zerocopy completion change, by packet size?
-- caption: Packets sent per second (left) and the busy share of worker and completion softirq together (right),
-- caption: by packet size. Mean over the replications; bands: {level} confidence.
-- order: 200
-- needs: 4
-- with: host
, what AS (
    SELECT 1 AS side, 'tx_pps' AS name, 'packets per second (thousands)' AS panel, 0.001 AS times
    UNION ALL SELECT 2, 'host_cpu_busy_percent', 'host CPU (% of one)', 1.0
)
SELECT w.panel, x.label AS series, x.size, avg(w.times * m.value) AS value,
       coalesce(half_width(w.times * m.value, x.level), 0) AS half, (SELECT text FROM backend_note) AS note
FROM what w JOIN ran x JOIN metric m ON m.run_id = x.run_id AND m.name = w.name AND m.value IS NOT NULL
WHERE x.size IS NOT NULL AND x.scenario_id IN (SELECT scenario_id FROM policy)
AND (SELECT count(DISTINCT size) FROM spot s WHERE s.scenario_id = x.scenario_id) > 1
GROUP BY w.side, x.label, x.size
ORDER BY w.side, min(x.place) OVER (PARTITION BY w.side, x.label), x.label, x.size
