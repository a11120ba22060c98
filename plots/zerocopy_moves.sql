-- title: What moves the break-even of zerocopy
-- question: Which cost decides from which packet size on zerocopy is cheaper than copying?
-- caption: Host CPU per packet with zerocopy against copying, paired by replication (same seed, same luck): below 0
-- caption: zerocopy is cheaper. In brackets the size at which a line crosses 0, by a straight line between neighbours on
-- caption: the logarithmic axis. Bands: {level} confidence.
-- order: 240
-- needs: 4
-- with: host
, cost AS (
    SELECT x.*, 1e7 * b.value / t.value AS host_ns, z.value AS zerocopy
    FROM ran x JOIN setting z ON z.config_id = x.config_id AND z.path = 'host.vhost.zerocopy'
    JOIN metric t ON t.run_id = x.run_id AND t.name = 'tx_pps' AND t.value > 0
    JOIN metric b ON b.run_id = x.run_id AND b.name = 'host_cpu_busy_percent' AND b.value IS NOT NULL
    WHERE x.size IS NOT NULL AND x.scenario_id IN (SELECT scenario_id FROM differs WHERE path = 'host.vhost.zerocopy')
),
change AS (
    SELECT a.scenario_id, a.scenario, a.others, a.size, a.level, min(a.place) OVER (PARTITION BY a.scenario_id, a.others) AS place,
           a.host_ns - c.host_ns AS ns
    FROM cost a JOIN cost c ON c.scenario_id = a.scenario_id AND c.others = a.others AND c.size = a.size
        AND c.replication = a.replication AND c.zerocopy = 'false'
    WHERE a.zerocopy = 'true'
),
line AS (
    SELECT place, CASE WHEN others = '' THEN scenario ELSE others END AS name, size, avg(ns) AS ns,
           coalesce(half_width(ns, level), 0) AS half,
           lead(size) OVER w AS next_size, lead(avg(ns)) OVER w AS next_ns
    FROM change GROUP BY place, size WINDOW w AS (PARTITION BY place ORDER BY size)
),
crossing AS (
    SELECT place, min(exp(ln(size) + (ln(next_size) - ln(size)) * ns / (ns - next_ns))) AS bytes
    FROM line WHERE ns > 0 AND next_ns <= 0 GROUP BY place
)
SELECT name || CASE WHEN bytes IS NULL THEN '' ELSE printf(' (%d B)', CAST(round(bytes, -1) AS INTEGER)) END AS series,
       size, ns, half, (SELECT text FROM backend_note) AS note
FROM line LEFT JOIN crossing USING (place)
WHERE (SELECT count(DISTINCT place) FROM line) > 1 AND (SELECT count(DISTINCT size) FROM line) > 1
ORDER BY place, size
