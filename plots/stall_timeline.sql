-- title: Stalls over time
-- question: How does a stall look from the ring, and does it end?
-- caption: Packets on the ring not yet reclaimed, of the first replication from the end of its warm-up on; the line is the most
-- caption: of an interval. A run that hangs ends at the cross: from there on no packet moves (dashed). Stalls within the
-- caption: warm-up are not seen here: give the scenario a warm-up of 0ms.
-- order: 250
-- needs: 4
-- with: host
, stalled AS (
    SELECT x.* FROM ran x JOIN metric h ON h.run_id = x.run_id AND h.name = 'hung' AND h.value = 1
),
slow AS (
    SELECT x.* FROM ran x JOIN param p ON p.config_id = x.config_id AND p.path = 'host.nic.slow_every'
    WHERE CAST(p.value AS REAL) > 0
),
shown AS (
    SELECT x.*, dense_rank() OVER (ORDER BY x.place) AS nth, h.hung_why
    FROM ran x JOIN run h ON h.id = x.run_id AND h.config_id = x.config_id
    WHERE x.replication = 0
    AND (x.scenario_id IN (SELECT scenario_id FROM stalled) OR x.scenario_id IN (SELECT scenario_id FROM slow))
    AND EXISTS (SELECT 1 FROM series s WHERE s.run_id = x.run_id AND s.name = 'in_flight')
),
point AS (
    SELECT n.nth, n.label, n.hung_why, s.t_us / 1000 AS ms, s.most,
           max(s.t_us / 1000) OVER (PARTITION BY n.nth) AS last_ms
    FROM shown n JOIN series s ON s.run_id = n.run_id AND s.name = 'in_flight' WHERE n.nth <= 8
)
SELECT label AS series, ms, most, last_ms, hung_why IS NOT NULL AND hung_why <> '' AND ms = last_ms AS stop,
       (SELECT max(ms) FROM point) AS end_ms,
       CASE WHEN hung_why <> '' THEN label || printf(' stops after %.2f ms: ', last_ms) || hung_why || '.' END AS note,
       (SELECT text FROM backend_note) AS note
FROM point ORDER BY nth, ms
