-- title: Saving by number of entries and threshold
-- question: From which threshold on does a packet of so many entries gain?
-- caption: Guest time saved against threshold 0 in percent of the packet, for packets that all have the
-- caption: same number of scatter-gather entries (fragments + 1: the header lies in the headroom). White
-- caption: with a dot is a tie: the {level} interval of the paired difference contains 0, or the saving is under 0.1 %.
-- caption: The line is where the threshold reaches the number of entries.
-- order: 80
-- needs: 4 rows
-- with: points
, base AS (
    SELECT p.sg, p.config_id, avg(CASE WHEN m.name = 'slab_slow_free_percent' THEN m.value END) AS slow_percent,
           avg(CASE WHEN m.name = 'in_flight_mean' THEN m.value END) AS in_flight,
           avg(CASE WHEN m.name = 'guest_ns_per_packet' THEN m.value END) AS guest_ns,
           avg(CASE WHEN m.name = 'driver_ns_per_packet' THEN m.value END) AS driver_ns
    FROM point p JOIN run r ON r.config_id = p.config_id JOIN metric m ON m.run_id = r.id
    WHERE p.sg IS NOT NULL AND p.thr = 0 AND p.nth = 1 GROUP BY p.sg
),
sender_note AS (
    -- A sender that costs less than a hundredth of the packet is none.
    SELECT 'The sender costs nothing above the driver, so the percentages are upper bounds. The'
        || ' nanoseconds are those of any path as long as the allocator stays on its fast path.' AS text
    WHERE (SELECT max(guest_ns - driver_ns) < 0.01 * min(guest_ns) FROM base)
),
slow_note AS (
    -- The first number of entries at which the allocator is on its slow path, where one less is not.
    SELECT printf('From %d entries on the picture changes because the allocator does at threshold 0: %.0f %% of the'
        || ' frees of tables take its slow path (%d entries: %.0f %%). A slab holds fewer of the larger tables,'
        || ' hardly more than packets are in flight (%.1f on average): a knife edge, which another depth or'
        || ' another order of slabs moves.', b.sg, b.slow_percent, a.sg, a.slow_percent, b.in_flight) AS text
    FROM base b JOIN base a ON a.sg = b.sg - 1
    WHERE b.slow_percent > 10 AND a.slow_percent < 1 ORDER BY b.sg LIMIT 1
)
SELECT label AS panel, thr, sg, avg(saved_percent) AS saved_percent,
       coalesce(half_width(saved_percent, level), 0) AS half_width_percent,
       abs(avg(saved_percent)) <= coalesce(half_width(saved_percent, level), 0)
           OR abs(avg(saved_percent)) < 0.1 AS tie,
       (SELECT text FROM sender_note) AS note, (SELECT text FROM slow_note) AS note,
       (SELECT text FROM straddle_note WHERE NOT lines) AS note, (SELECT text FROM backend_note) AS note
FROM gain WHERE sg IS NOT NULL AND nth = 1
GROUP BY label, sg, thr ORDER BY label, sg, thr
