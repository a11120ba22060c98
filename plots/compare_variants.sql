-- title: The variants side by side
-- question: What does each variant cost, and how does it differ from the first?
-- caption: Mean over the replications; bars: {level} confidence. Difference: guest time per packet against the
-- caption: first variant of the same point, paired replication by replication (same seed, same luck), left of
-- caption: zero is saved; bars of one colour are one variant. Memory: peak of what indirect tables of a queue
-- caption: held, as allocated; hit: of the packets that need a table, those that took it from the descriptor
-- caption: cache. A bar or a picture that is not there is not defined: no packet needs a table.
-- order: 15
-- with: points
, row AS (
    SELECT config_id, scenario_id, axes, variant_index, variants, label, level, place,
           dense_rank() OVER (ORDER BY scenario_id, (SELECT min(q.place) FROM point q
               WHERE q.scenario_id = point.scenario_id AND q.axes = point.axes AND q.thr IS NULL)) AS nth_group
    FROM point WHERE thr IS NULL AND sg IS NULL
),
bar AS (
    SELECT *, -(row_number() OVER (ORDER BY nth_group, variant_index) + 0.7 * (nth_group - 1)) AS y
    FROM (SELECT * FROM row ORDER BY nth_group, variant_index LIMIT 24)
),
what AS (
    SELECT 1 AS panel, 'guest_ns_per_packet' AS name, 1.0 AS unit
    UNION ALL SELECT 3, 'desc_cache_bytes', 1024.0
    UNION ALL SELECT 4, 'desc_cache_hit_percent', 1.0
),
measured AS (
    SELECT w.panel, b.config_id, avg(m.value / w.unit) AS value, half_width(m.value / w.unit, b.level) AS half
    FROM bar b JOIN what w JOIN run r ON r.config_id = b.config_id
    JOIN metric m ON m.run_id = r.id AND m.name = w.name AND m.value IS NOT NULL
    GROUP BY w.panel, b.config_id
    UNION ALL
    SELECT 2, b.config_id, avg(100 * (x.guest_ns - f.guest_ns) / f.guest_ns),
           half_width(100 * (x.guest_ns - f.guest_ns) / f.guest_ns, b.level)
    FROM bar b JOIN bar z ON z.scenario_id = b.scenario_id AND z.axes = b.axes AND z.variant_index = 0
    JOIN ran x ON x.config_id = b.config_id
    JOIN ran f ON f.config_id = z.config_id AND f.replication = x.replication
    WHERE b.variant_index > 0 AND f.guest_ns > 0 GROUP BY b.config_id
)
SELECT CASE p.panel WHEN 1 THEN 'guest ns per packet' WHEN 2 THEN 'difference (%)'
           WHEN 3 THEN 'memory, peak (KiB)' ELSE 'hit (%)' END AS panel,
       b.y, m.value, coalesce(m.half, 0) AS half, b.variant_index + 1 AS hue, b.label AS name,
       (SELECT CASE WHEN count(*) > 24 THEN 'The first 24 of ' || count(*) || ' rows are drawn.' END FROM row) AS note,
       (SELECT text FROM backend_note) AS note
FROM (SELECT DISTINCT panel FROM measured WHERE value IS NOT NULL) p
JOIN bar b LEFT JOIN measured m ON m.panel = p.panel AND m.config_id = b.config_id
ORDER BY p.panel, b.y DESC
