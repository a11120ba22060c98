-- title: Share of packets served by the cache
-- question: How many packets does a threshold cover?
-- caption: Of the packets that need an indirect table, the share that took it from the descriptor cache;
-- caption: paths whose packets need none are not drawn. Mean over the replications; bands: {level} confidence.
-- order: 50
-- with: points
SELECT p.label AS series, p.thr, p.nth, avg(m.value) AS hit_percent,
       coalesce(half_width(m.value, p.level), 0) AS half_width_percent, (SELECT text FROM lines_note) AS note, (SELECT text FROM backend_note) AS note
FROM point p JOIN run r ON r.config_id = p.config_id
JOIN metric m ON m.run_id = r.id AND m.name = 'desc_cache_hit_percent' AND m.value IS NOT NULL
WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12
GROUP BY p.place, p.label, p.thr ORDER BY p.place, p.thr
