-- title: Copy against zerocopy by packet size
-- question: From which packet size on is zerocopy worth it, in packets and in host CPU?
-- caption: Packets sent per second (left) and host CPU per packet, worker and completion softirq together (right). Both
-- caption: axes of sizes are logarithmic. Mean over the replications; bands: {level} confidence.
-- order: 230
-- needs: 4
-- with: host
, paired AS (
    SELECT n.* FROM named n JOIN setting z ON z.config_id = n.config_id AND z.path = 'host.vhost.zerocopy'
    WHERE n.size IS NOT NULL AND n.scenario_id IN (SELECT scenario_id FROM differs WHERE path = 'host.vhost.zerocopy')
    AND n.others = (SELECT others FROM spot s WHERE s.scenario_id = n.scenario_id ORDER BY s.place LIMIT 1)
),
both AS (
    SELECT n.*, x.replication, t.value AS pps, 1e7 * b.value / t.value AS host_ns
    FROM paired n JOIN ran x USING (config_id)
    JOIN metric t ON t.run_id = x.run_id AND t.name = 'tx_pps' AND t.value > 0
    JOIN metric b ON b.run_id = x.run_id AND b.name = 'host_cpu_busy_percent' AND b.value IS NOT NULL
)
SELECT panel, label AS series, size, avg(value) AS value, coalesce(half_width(value, level), 0) AS half,
       (SELECT text FROM backend_note) AS note
FROM (SELECT 1 AS side, 'packets per second (thousands)' AS panel, label, place, size, level, pps / 1000 AS value FROM both
      UNION ALL SELECT 2, 'host CPU (ns per packet)', label, place, size, level, host_ns FROM both)
WHERE (SELECT count(DISTINCT size) FROM both) > 1
GROUP BY side, label, size ORDER BY side, min(place) OVER (PARTITION BY side, label), label, size
