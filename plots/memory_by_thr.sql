-- title: Memory for indirect tables against the threshold
-- question: What does a threshold cost in memory per queue?
-- caption: Peak of the memory held by indirect tables of one queue, free items of the cache included.
-- caption: Solid: allocated, that is rounded up to the allocator's size classes. Dashed, without points:
-- caption: asked for. Mean over the replications; bands: 95 % confidence.
-- order: 30
-- with: points
SELECT p.label AS series, p.thr, avg(b.value) AS allocated_bytes,
       coalesce(half_width(b.value), 0) AS half_width_bytes, avg(a.value) AS asked_bytes
FROM point p JOIN run r ON r.config_id = p.config_id
JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes' AND b.value IS NOT NULL
LEFT JOIN metric a ON a.run_id = r.id AND a.name = 'desc_cache_asked_bytes'
WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12
GROUP BY p.place, p.label, p.thr ORDER BY p.place, p.thr
