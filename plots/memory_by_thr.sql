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
-- Paths whose rings and caches are alike have one bound.
limits AS (
    SELECT place, group_concat(bound_bytes) AS text FROM (SELECT * FROM drawn ORDER BY place, thr)
    WHERE bound_bytes IS NOT NULL GROUP BY place
),
alike AS (SELECT min(place) AS place, count(*) AS paths, count(*) OVER () AS kinds FROM limits GROUP BY text),
bound_line AS (
    SELECT place, CASE WHEN kinds = 1 THEN 'bound of any path' ELSE 'bound: '
           || (SELECT label FROM drawn d WHERE d.place = alike.place)
           || CASE WHEN paths > 1 THEN ' and others' ELSE '' END END AS label
    FROM alike
)
SELECT 'peak of the run' AS panel, label AS series, thr, nth, allocated_bytes, half_width_bytes, asked_bytes,
       (SELECT CASE WHEN max(lists) THEN 'The lists of v1 and v2 never shrink: what a burst once took stays until'
           || ' the queue is freed.' END FROM bound) AS note, (SELECT text FROM lines_note) AS note, place
FROM drawn
UNION ALL
SELECT 'bound', b.label, d.thr, d.nth, d.bound_bytes, 0, NULL, NULL, NULL, place
FROM bound_line b JOIN drawn d USING (place)
ORDER BY panel DESC, place, thr
