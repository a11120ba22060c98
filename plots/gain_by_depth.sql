-- title: The gain against packets in flight
-- question: How does the gain depend on how many tables are alive?
-- caption: Saving in percent of the packet against the deepest moment at threshold 0, where the completion latency
-- caption: of the device is an axis. Steps: more tables alive than one slab holds (64 of 64 bytes, 128 of 32), so that
-- caption: frees turn slow. A point is a latency; bars: {level} confidence of the saving.
-- order: 68
-- with: points
, late AS (
    SELECT g.scenario_id, g.thr, g.replication, g.saved_percent, g.level, a.value AS latency, a.number,
           c.variant, c.variant_index, g.run_id
    FROM gain g JOIN axis a ON a.config_id = g.config_id AND a.path = 'host.backend.latency'
    JOIN config c ON c.id = g.config_id WHERE g.sg IS NULL
),
deep AS (
    SELECT l.scenario_id, l.variant, l.latency, avg(m.value) AS depth FROM late l
    JOIN metric m ON m.run_id = l.run_id AND m.name = 'in_flight_max' WHERE l.thr = 0
    GROUP BY l.scenario_id, l.variant, l.latency
)
SELECT l.variant || ', thr ' || l.thr AS series, d.depth, avg(l.saved_percent) AS saved_percent,
       coalesce(half_width(l.saved_percent, l.level), 0) AS half_width_percent, (SELECT text FROM backend_note) AS note
FROM late l JOIN deep d USING (scenario_id, variant, latency) WHERE l.thr > 0
GROUP BY l.scenario_id, l.variant_index, l.thr, l.latency ORDER BY l.scenario_id, l.variant_index, l.thr, d.depth
