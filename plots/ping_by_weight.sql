-- title: Ping against packet weight
-- question: How long does a packet from outside wait for a worker that is busy sending?
-- caption: Round trips of echo requests: mean over the replications, with the shortest and the longest, against the packets after which
-- caption: a run of a handler gives way to the other one (none: only the byte weight). The vertical axis is logarithmic.
-- order: 250
-- needs: 2
-- with: host
, weighted AS (
    SELECT x.*, CAST(p.value AS INTEGER) AS weight,
           coalesce((SELECT a.value FROM axis a WHERE a.config_id = x.config_id AND a.path = 'case'), '') AS in_case,
           coalesce((SELECT group_concat(a.path || ' ' || a.value, ', ') FROM axis a WHERE a.config_id = x.config_id
                     AND a.path NOT IN ('case', 'host.vhost.weight_packets')), '') AS rest
    FROM ran x JOIN param p ON p.config_id = x.config_id AND p.path = 'host.vhost.weight_packets'
),
-- Cases that stand for weights, one each, are no lines of their own.
lined AS (
    SELECT w.*, scenario
           || CASE WHEN EXISTS (SELECT 1 FROM weighted o WHERE o.scenario_id = w.scenario_id AND o.weight = w.weight
                                AND o.in_case <> w.in_case) THEN ', ' || in_case ELSE '' END
           || CASE WHEN rest = '' THEN '' ELSE ', ' || rest END
           || CASE WHEN (SELECT max(variant_index) FROM spot o WHERE o.scenario_id = w.scenario_id) = 0 THEN '' ELSE ', ' || variant END
           AS line
    FROM weighted w
),
ping AS (
    SELECT line, weight, avg(m.value) / 1000 AS mean_ms, min(l.value) / 1000 AS least_ms, max(h.value) / 1000 AS most_ms
    FROM lined x JOIN metric m ON m.run_id = x.run_id AND m.name = 'ping_mean_us' AND m.value IS NOT NULL
    JOIN metric l ON l.run_id = x.run_id AND l.name = 'ping_min_us'
    JOIN metric h ON h.run_id = x.run_id AND h.name = 'ping_max_us'
    GROUP BY line, weight
)
SELECT line AS series, dense_rank() OVER (ORDER BY weight = 0, weight) AS place,
       CASE WHEN weight = 0 THEN 'none' ELSE CAST(weight AS TEXT) END AS weight, mean_ms, least_ms, most_ms,
       (SELECT text FROM backend_note) AS note
FROM ping WHERE (SELECT count(DISTINCT weight) FROM ping) > 1
ORDER BY line, place
