-- title: Memory for indirect tables against the threshold
-- question: What does a threshold cost in memory per queue?
-- caption: Left: peak of the run, the most that indirect tables of one queue held, free items of the cache
-- caption: included; it depends on how many packets this traffic has in flight. Right: the bound, what the
-- caption: cache of one queue takes when every request the ring can hold has had an item; it depends on the
-- caption: ring and the threshold alone, and a default is decided on it. Tables larger than the threshold
-- caption: are no part of the bound. Solid: allocated, that is
-- caption: rounded up to the allocator's size classes. Dotted, without points: asked for. Mean over the
-- caption: replications; bands: {level} confidence. Where paths differ much the axes are logarithmic; a path
-- caption: that never holds a table is not drawn.
-- order: 30
-- with: points
, spot AS (
    SELECT p.place, p.label, p.nth, p.thr, avg(b.value) AS allocated_bytes,
           coalesce(half_width(b.value, p.level), 0) AS half_width_bytes, avg(a.value) AS asked_bytes,
           max(q.bytes) AS bound_bytes
    FROM point p JOIN run r ON r.config_id = p.config_id
    JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes' AND b.value IS NOT NULL
    LEFT JOIN metric a ON a.run_id = r.id AND a.name = 'desc_cache_asked_bytes'
    LEFT JOIN bound q ON q.config_id = p.config_id
    WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12 GROUP BY p.place, p.thr
),
drawn AS (
    SELECT * FROM spot WHERE place IN (SELECT place FROM spot GROUP BY place HAVING max(allocated_bytes) > 0)
),
-- Paths whose rings and caches are alike have one bound: that of the path with the most thresholds.
limit_point AS (SELECT place, thr, nth, bound_bytes FROM drawn WHERE bound_bytes IS NOT NULL),
limits AS (SELECT place, count(*) AS thresholds FROM limit_point GROUP BY place),
covered AS (
    SELECT a.place, b.place AS by_place FROM limits a JOIN limits b ON b.place <> a.place
        AND (b.thresholds > a.thresholds OR (b.thresholds = a.thresholds AND b.place < a.place))
    WHERE NOT EXISTS (SELECT 1 FROM limit_point x WHERE x.place = a.place AND NOT EXISTS (
        SELECT 1 FROM limit_point y WHERE y.place = b.place AND y.thr = x.thr
        AND y.bound_bytes = x.bound_bytes))
),
alike AS (
    SELECT place, 1 + (SELECT count(*) FROM covered c WHERE c.by_place = l.place) AS paths, count(*) OVER () AS kinds
    FROM limits l WHERE place NOT IN (SELECT place FROM covered)
),
-- A step ends where thresholds are left out: what the bound does there is not known.
gap AS (
    SELECT place, nth, thr + 1 AS thr FROM (
        SELECT *, lead(thr) OVER (PARTITION BY place ORDER BY thr) AS next_thr FROM limit_point)
    WHERE next_thr > thr + 1
),
bound_line AS (
    SELECT place, CASE WHEN kinds = 1 THEN 'bound of any path' ELSE 'bound: '
           || (SELECT CASE WHEN paths > 1 AND length(label) > 27 THEN substr(label, 1, 26) || '…' ELSE label END
               FROM drawn d WHERE d.place = alike.place)
           || CASE WHEN paths > 1 THEN ' and others' ELSE '' END END AS label
    FROM alike
)
SELECT 'peak of the run' AS panel, label AS series, thr, nth, allocated_bytes, half_width_bytes, asked_bytes,
       (SELECT CASE WHEN max(lists) THEN 'The lists of v1 and v2 never shrink: what a burst once took stays until'
           || ' the queue is freed.' END FROM bound) AS note, (SELECT text FROM lines_note) AS note,
       (SELECT text FROM backend_note) AS note, place
FROM drawn
UNION ALL
SELECT 'bound', b.label, d.thr, d.nth, d.bound_bytes, 0, NULL, NULL, NULL, NULL, place
FROM bound_line b JOIN drawn d USING (place)
UNION ALL
SELECT 'bound', b.label, g.thr, g.nth, -1, 0, NULL, NULL, NULL, NULL, place
FROM bound_line b JOIN gap g USING (place)
ORDER BY panel DESC, place, thr
