-- title: Packets in flight
-- question: How many tables are out at once, that is, how many items must a cache hold?
-- caption: Share of adds that found at most so many packets on the ring not yet reclaimed, all
-- caption: replications of the lowest threshold together. The horizontal axis is logarithmic in packets + 1.
-- order: 70
-- with: points
, chosen AS (
    SELECT config_id, place, label FROM point p WHERE sg IS NULL AND nth <= 12
    AND thr IS (SELECT min(thr) FROM point q WHERE q.sg IS NULL AND q.place = p.place)
),
bin AS (
    SELECT c.place, c.label, h.low, max(h.high) AS high, sum(h.count) AS count
    FROM chosen c JOIN run r ON r.config_id = c.config_id
    JOIN histogram h ON h.run_id = r.id AND h.name = 'in_flight'
    GROUP BY c.place, h.low
)
, share AS (
    SELECT place, label, low, count, 100.0 * sum(count) OVER (PARTITION BY place ORDER BY low)
               / sum(count) OVER (PARTITION BY place) AS percent
    FROM bin
)
-- Each line begins at 0 % where its first bin is.
SELECT label AS series, packets, adds, share_percent, (SELECT text FROM backend_note) AS note FROM (
    SELECT place, label, min(low) AS packets, 0 AS adds, 0 AS share_percent FROM share GROUP BY place
    UNION ALL SELECT place, label, low, count, percent FROM share)
ORDER BY place, packets, share_percent
