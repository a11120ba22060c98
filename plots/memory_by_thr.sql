-- title: Memory for indirect tables against the threshold
-- question: What does a threshold cost in memory per queue?
-- caption: Peak of the memory held by indirect tables of one queue, free items of the cache included.
-- caption: Solid: allocated, that is rounded up to the allocator's size classes. Dotted, without points:
-- caption: asked for. Mean over the replications; bands: 95 % confidence. Where paths differ much the axis is
-- caption: logarithmic; a path that never holds a table is not drawn.
-- order: 30
-- with: points
, spot AS (
    SELECT p.place, p.label, p.nth, p.thr, avg(b.value) AS allocated_bytes,
           coalesce(half_width(b.value), 0) AS half_width_bytes, avg(a.value) AS asked_bytes
    FROM point p JOIN run r ON r.config_id = p.config_id
    JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes' AND b.value IS NOT NULL
    LEFT JOIN metric a ON a.run_id = r.id AND a.name = 'desc_cache_asked_bytes'
    WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12 GROUP BY p.place, p.thr
)
SELECT label AS series, thr, nth, allocated_bytes, half_width_bytes, asked_bytes FROM spot
WHERE place IN (SELECT place FROM spot GROUP BY place HAVING max(allocated_bytes) > 0)
ORDER BY place, thr
