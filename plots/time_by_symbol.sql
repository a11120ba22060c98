-- title: Guest time per packet by kernel symbol
-- question: What is a packet made of below the stack?
-- caption: The driver's part of a packet by kernel symbol (the eight largest, the rest merged), at
-- caption: thresholds 0, 4 and 18 where the store has them. The stack above the driver would dwarf it and is
-- caption: given as a number behind the bar. Mean over the replications; bars at the end: {level} confidence of
-- caption: the driver's part. A symbol has the same colour in every picture.
-- order: 60
-- with: points
, chosen AS (
    SELECT config_id, place, thr, level, label || CASE WHEN thr IS NULL THEN '' ELSE ', thr ' || thr END AS name
    FROM point WHERE sg IS NULL AND (thr IS NULL OR thr IN (0, 4, 18)) AND nth <= 12
    ORDER BY place, thr LIMIT 36
),
bar AS (
    SELECT *, -(row_number() OVER (ORDER BY place, thr)
                + 0.7 * (dense_rank() OVER (ORDER BY place) - 1)) AS y,
           (SELECT count(*) FROM run r WHERE r.config_id = chosen.config_id) AS runs
    FROM chosen
),
cost AS (
    SELECT b.y, s.name AS symbol, sum(s.ns_per_packet) / b.runs AS ns
    FROM bar b JOIN run r ON r.config_id = b.config_id JOIN symbol s ON s.run_id = r.id
    GROUP BY b.y, s.name
),
size AS (
    SELECT symbol, max(ns) AS most, row_number() OVER (ORDER BY max(ns) DESC, symbol) AS nth
    FROM cost WHERE symbol <> 'stack' GROUP BY symbol
),
part AS (
    SELECT c.y, CASE WHEN z.nth <= 8 THEN c.symbol ELSE 'other' END AS symbol,
           min(z.nth, 9) AS nth, sum(c.ns) AS ns
    FROM cost c JOIN size z USING (symbol) GROUP BY c.y, min(z.nth, 9)
),
laid AS (
    SELECT *, sum(ns) OVER (PARTITION BY y ORDER BY nth) AS to_ns FROM part
),
driver AS (
    SELECT b.y, r.id, sum(s.ns_per_packet) AS ns FROM bar b JOIN run r ON r.config_id = b.config_id
    JOIN symbol s ON s.run_id = r.id AND s.name <> 'stack' GROUP BY b.y, r.id
),
left_out AS (
    SELECT CASE WHEN total.n > kept.n THEN kept.n || ' of ' || total.n || ' configurations are drawn: thresholds '
        || '0, 4 and 18 of the first ' || kept.paths || ' of ' || total.paths || ' paths, at most 36 bars.' END AS text
    FROM (SELECT count(*) AS n, count(DISTINCT place) AS paths FROM bar) kept,
         (SELECT count(*) AS n, count(DISTINCT place) AS paths FROM point WHERE sg IS NULL) total
)
SELECT 'part' AS panel, symbol AS series, y, to_ns - ns AS from_ns, to_ns, '' AS name, 0 AS half_ns,
       nth AS nth, (SELECT text FROM backend_note) AS note
FROM laid
UNION ALL
SELECT 'total', '', b.y, coalesce((SELECT ns FROM cost c WHERE c.y = b.y AND c.symbol = 'stack'), 0),
       (SELECT avg(ns) FROM driver d WHERE d.y = b.y), b.name,
       coalesce((SELECT half_width(ns, b.level) FROM driver d WHERE d.y = b.y), 0), 99, (SELECT text FROM left_out)
FROM bar b ORDER BY nth, y DESC
