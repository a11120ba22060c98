-- title: Notifications against the threshold
-- question: Does the threshold move kicks or interrupts?
-- caption: Doorbells the guest rang (left) and interrupts it took (right) per packet sent. Mean over the
-- caption: replications; bands: {level} confidence. A rate below one in 10,000 packets is drawn as 0: it is
-- caption: what is left of wake-ups at the window's edges and says nothing about the threshold.
-- order: 100
-- with: points
, what AS (
    SELECT 1 AS side, 'kicks_per_packet' AS name, 'kicks per packet' AS panel
    UNION ALL SELECT 2, 'interrupts_per_packet', 'interrupts per packet'
)
SELECT w.panel, p.label AS series, p.thr, CASE WHEN avg(m.value) < 1e-4 THEN 0 ELSE avg(m.value) END AS per_packet,
       CASE WHEN avg(m.value) < 1e-4 THEN 0 ELSE coalesce(half_width(m.value, p.level), 0) END AS half_width,
       (SELECT text FROM lines_note) AS note, (SELECT text FROM backend_note) AS note
FROM what w JOIN point p JOIN run r ON r.config_id = p.config_id
JOIN metric m ON m.run_id = r.id AND m.name = w.name AND m.value IS NOT NULL
WHERE p.sg IS NULL AND p.thr IS NOT NULL AND p.nth <= 12
GROUP BY w.side, p.place, p.label, p.thr ORDER BY w.side, p.place, p.thr
