-- title: Share of the saving by mechanism
-- question: Is it the allocator, the sharing of cache lines, or something else that the cache saves?
-- caption: Guest time per packet without the cache, step by step, to the time with it: blue steps save, orange
-- caption: ones cost. The axis does not begin at 0. Against threshold 0 stands the smallest threshold that is a
-- caption: tie with the best; variants stand against the first. Allocator: its fast and slow paths without waits
-- caption: for lines. Table lines: waits for lines of tables and of the free-list links in them because the device
-- caption: has read them; in the add a barrier waits for them, in the reclaim they drain in the background. Ring
-- caption: lines: the same for the rings. Rest: all else, with what batches and kicks change. ±: {level}
-- caption: confidence, of the steps paired replication by replication (same seed, same luck). In brackets:
-- caption: share of what is saved in all; a step that costs has a negative one.
-- order: 56
-- with: points
, compared AS (
    SELECT g.label || ', thr ' || g.thr || ' against 0' AS name, g.label, g.place, g.thr, g.level,
           g.run_id, z.run_id AS base_id, g.saved_ns, g.saved_percent
    FROM gain g JOIN gain z ON z.scenario_id = g.scenario_id AND z.label = g.label AND z.sg IS NULL
        AND z.replication = g.replication AND z.thr = 0
    WHERE g.sg IS NULL AND g.thr > 0
    UNION ALL
    SELECT p.label || ' against ' || f.variant, p.label, p.place, NULL, p.level,
           x.run_id, z.run_id, z.guest_ns - x.guest_ns, 100 * (z.guest_ns - x.guest_ns) / z.guest_ns
    FROM placed p JOIN placed f ON f.scenario_id = p.scenario_id AND f.axes = p.axes
        AND f.variant_index = 0 AND f.thr IS NULL AND f.sg IS NULL
    JOIN ran x ON x.config_id = p.config_id
    JOIN ran z ON z.config_id = f.config_id AND z.replication = x.replication
    WHERE p.thr IS NULL AND p.sg IS NULL AND p.variant_index > 0 AND z.guest_ns > 0
),
-- Runs stored by a program that did not tell the mechanisms apart are left out.
pair AS MATERIALIZED (
    SELECT * FROM compared
    WHERE EXISTS (SELECT 1 FROM metric m WHERE m.run_id = compared.run_id
                  AND m.name = 'allocator_ns_per_packet' AND m.value IS NOT NULL)
    AND EXISTS (SELECT 1 FROM metric m WHERE m.run_id = base_id
                AND m.name = 'allocator_ns_per_packet' AND m.value IS NOT NULL)
),
value AS (
    SELECT name, label, place, thr, avg(saved_ns) AS ns, avg(saved_percent) AS percent,
           coalesce(half_width(saved_ns, level), 0) AS half_ns
    FROM pair GROUP BY place, thr
),
best AS (
    SELECT *, first_value(ns - half_ns) OVER most AS best_ns, first_value(percent) OVER most AS best_percent,
           first_value(thr) OVER (PARTITION BY place ORDER BY abs(percent) DESC, thr) AS changes_most
    FROM value WINDOW most AS (PARTITION BY place ORDER BY ns DESC, thr)
),
suffices AS (
    SELECT place, min(thr) AS thr FROM best
    WHERE ns > half_ns AND percent > 0.1 AND (ns + half_ns >= best_ns OR best_percent - percent < 0.1)
    GROUP BY place
),
fall AS (
    SELECT b.name, b.place, b.thr, b.ns, b.half_ns, dense_rank() OVER (ORDER BY b.place) AS nth
    FROM best b LEFT JOIN suffices s USING (place)
    WHERE b.thr IS coalesce(s.thr, b.changes_most) AND abs(b.percent) >= 0.1
),
mechanism(step, what, metric) AS (
    VALUES (2, 'allocator', 'allocator_ns_per_packet'),
           (3, 'table lines, add', 'table_lines_exposed_ns_per_packet'),
           (4, 'table lines, reclaim', 'table_lines_hidden_ns_per_packet'),
           (5, 'pop and push', 'desc_cache_ns_per_packet'),
           (6, 'ring lines', 'ring_lines_ns_per_packet')
),
moved AS MATERIALIZED (
    SELECT f.place, p.level, p.run_id, p.saved_ns, m.step, m.what, a.value - b.value AS ns
    FROM fall f JOIN pair p ON p.place = f.place AND p.thr IS f.thr JOIN mechanism m
    JOIN metric a ON a.run_id = p.run_id AND a.name = m.metric AND a.value IS NOT NULL
    JOIN metric b ON b.run_id = p.base_id AND b.name = m.metric AND b.value IS NOT NULL
    WHERE f.nth <= 12
),
change AS (
    SELECT place, step, what, avg(ns) AS ns, coalesce(half_width(ns, level), -1) AS half_ns
    FROM moved GROUP BY place, step
    UNION ALL
    SELECT place, 7, 'rest', avg(ns), coalesce(half_width(ns, level), -1)
    FROM (SELECT place, level, -saved_ns - sum(ns) AS ns FROM moved GROUP BY place, run_id)
    GROUP BY place
),
edge AS (
    SELECT f.place, 1 AS step, 'before' AS what, avg(m.value) AS ns,
           coalesce(half_width(m.value, p.level), -1) AS half_ns
    FROM fall f JOIN pair p ON p.place = f.place AND p.thr IS f.thr
    JOIN metric m ON m.run_id = p.base_id AND m.name = 'guest_ns_per_packet' GROUP BY f.place
    UNION ALL
    SELECT f.place, 8, 'after', avg(m.value), coalesce(half_width(m.value, p.level), -1)
    FROM fall f JOIN pair p ON p.place = f.place AND p.thr IS f.thr
    JOIN metric m ON m.run_id = p.run_id AND m.name = 'guest_ns_per_packet' GROUP BY f.place
),
laid AS (
    SELECT c.place, c.step, c.what, c.ns, c.half_ns,
           e.ns + sum(c.ns) OVER (PARTITION BY c.place ORDER BY c.step) AS to_ns
    FROM change c JOIN edge e ON e.place = c.place AND e.step = 1
),
row AS (
    SELECT place, step, what, to_ns - ns AS from_ns, to_ns, ns, half_ns FROM laid
    UNION ALL
    SELECT place, step, what, ns, ns, ns, half_ns FROM edge WHERE place IN (SELECT place FROM change)
)
SELECT f.name AS series, -r.step AS y, r.from_ns, r.to_ns, r.ns, r.half_ns, r.what AS name,
       CASE WHEN r.step BETWEEN 2 AND 7 AND f.ns > f.half_ns THEN -100 * r.ns / f.ns END AS share_percent,
       (SELECT 'Not drawn, because the cache changes less than 0.1 % of the packet: '
               || group_concat(label, '; ') || '.'
        FROM (SELECT DISTINCT label, place FROM value WHERE place NOT IN (SELECT place FROM fall)
              ORDER BY place)) AS note,
       (SELECT 'The first 12 of ' || max(nth) || ' falls are drawn.' FROM fall HAVING max(nth) > 12) AS note,
       (SELECT text FROM backend_note) AS note
FROM row r JOIN fall f USING (place) ORDER BY f.place, r.step
