-- title: Notifications against the threshold
-- question: Does the threshold move kicks or interrupts?
-- caption: Doorbells the guest rang (left) and interrupts it took (right) per packet sent. Mean over the
-- caption: replications; bands: 95 % confidence.
-- order: 100
-- with: points
, what AS (
    SELECT 1 AS side, 'kicks_per_packet' AS name, 'kicks per packet' AS panel
    UNION ALL SELECT 2, 'interrupts_per_packet', 'interrupts per packet'
)
SELECT w.panel, p.label AS series, p.thr, avg(m.value) AS per_packet,
       coalesce(half_width(m.value), 0) AS half_width
FROM what w JOIN point p JOIN run r ON r.config_id = p.config_id
JOIN metric m ON m.run_id = r.id AND m.name = w.name AND m.value IS NOT NULL
WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12
GROUP BY w.side, p.place, p.label, p.thr ORDER BY w.side, p.place, p.thr
