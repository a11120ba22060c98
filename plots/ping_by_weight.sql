-- title: Ping against packet weight
-- question: How long does a small packet from outside wait for a worker that is busy sending?
-- caption: Round trip of pings that come in while the guest sends as fast as it can, by the packet weight of the transmit
-- caption: handler ("none": the byte weight alone): mean, 99 % quantile, and bars from the shortest to the longest of
-- caption: all replications. Both axes are logarithmic.
-- order: 260
-- needs: 2
-- with: host
, weighed AS (
    SELECT x.*, CAST(p.value AS REAL) AS weight FROM ran x JOIN param p ON p.config_id = x.config_id AND p.path = 'host.vhost.weight_packets'
),
chosen AS (
    SELECT w.*, CASE WHEN (SELECT count(DISTINCT scenario_id || variant) FROM weighed) > 1
               THEN scenario || CASE WHEN variant = 'base' THEN '' ELSE ', ' || variant END ELSE 'mean' END AS name
    FROM weighed w WHERE EXISTS (SELECT 1 FROM metric m WHERE m.run_id = w.run_id AND m.name = 'ping_mean_us' AND m.value IS NOT NULL)
),
most AS (SELECT max(weight) AS weight FROM chosen),
spread AS (
    SELECT c.name, c.weight, avg(m.value) AS mean_us, avg(q.value) AS p99_us, min(l.value) AS least_us, max(h.value) AS longest_us,
           min(place) AS place
    FROM chosen c JOIN metric m ON m.run_id = c.run_id AND m.name = 'ping_mean_us'
    JOIN metric l ON l.run_id = c.run_id AND l.name = 'ping_min_us' JOIN metric h ON h.run_id = c.run_id AND h.name = 'ping_max_us'
    JOIN metric q ON q.run_id = c.run_id AND q.name = 'ping_p99_us'
    GROUP BY c.name, c.weight
)
SELECT name AS series, CASE WHEN s.weight = 0 THEN 4 * m.weight ELSE s.weight END AS x,
       CASE WHEN s.weight = 0 THEN 'none' ELSE CAST(CAST(s.weight AS INTEGER) AS TEXT) END AS weight,
       mean_us, p99_us, least_us, longest_us, (SELECT text FROM backend_note) AS note
FROM spread s JOIN most m WHERE (SELECT count(DISTINCT weight) FROM spread) > 1 ORDER BY min(place) OVER (PARTITION BY name), name, x
