-- title: Where the saved time comes from
-- question: Which kernel symbols get cheaper, and what does the cache cost itself?
-- caption: Guest time per packet at threshold 0 less the same at thresholds 4 and 18, by kernel symbol (the
-- caption: eight that change most, the rest merged): right of zero is saved, left is lost. Behind the bar:
-- caption: the sum, with the half width of its {level} interval over the paired replications.
-- order: 55
-- with: points
, bar AS (
    SELECT config_id, place, label, thr,
           -(row_number() OVER (ORDER BY place, thr)
             + 0.7 * (dense_rank() OVER (ORDER BY place) - 1)) AS y
    FROM (SELECT * FROM point WHERE sg IS NULL AND thr IN (4, 18) AND nth <= 12
          ORDER BY place, thr LIMIT 36)
),
pair AS (
    SELECT b.y, g.run_id, g.replication, z.run_id AS zero_id, g.saved_ns, g.level
    FROM bar b JOIN gain g ON g.config_id = b.config_id
    JOIN gain z ON z.scenario_id = g.scenario_id AND z.label = g.label AND z.sg IS NULL
        AND z.replication = g.replication AND z.thr = 0
),
change AS (
    SELECT y, symbol, sum(ns) / (SELECT count(*) FROM pair q WHERE q.y = d.y) AS ns
    FROM (SELECT p.y, s.name AS symbol, s.ns_per_packet AS ns
          FROM pair p JOIN symbol s ON s.run_id = p.zero_id
          UNION ALL
          SELECT p.y, s.name, -s.ns_per_packet FROM pair p JOIN symbol s ON s.run_id = p.run_id) d
    GROUP BY y, symbol
),
size AS (
    SELECT symbol, row_number() OVER (ORDER BY max(abs(ns)) DESC, symbol) AS nth
    FROM change GROUP BY symbol HAVING max(abs(ns)) > 0.005
),
part AS (
    SELECT c.y, CASE WHEN z.nth <= 8 THEN c.symbol ELSE 'other' END AS symbol,
           min(z.nth, 9) AS nth, sum(c.ns) AS ns
    FROM change c JOIN size z USING (symbol) GROUP BY c.y, min(z.nth, 9)
),
laid AS (
    SELECT y, symbol, nth, ns, sum(ns) OVER (PARTITION BY y, ns < 0 ORDER BY nth) AS to_ns FROM part
)
SELECT 'part' AS panel, symbol AS series, y, to_ns - ns AS from_ns, to_ns, '' AS name, 0 AS half_ns, nth,
       (SELECT text FROM backend_note) AS note
FROM laid
UNION ALL
SELECT 'total', '', b.y, (SELECT avg(saved_ns) FROM pair p WHERE p.y = b.y),
       coalesce((SELECT max(l.to_ns) FROM laid l WHERE l.y = b.y AND l.ns > 0), 0),
       b.label || ', thr ' || b.thr,
       coalesce((SELECT half_width(saved_ns, level) FROM pair p WHERE p.y = b.y), -1), 99,
       (SELECT CASE WHEN total.n > kept.n THEN 'Thresholds 4 and 18 of ' || kept.n || ' of ' || total.n
                    || ' paths are drawn, at most 36 bars.' END
        FROM (SELECT count(DISTINCT place) AS n FROM bar) kept,
             (SELECT count(DISTINCT place) AS n FROM point WHERE sg IS NULL AND thr IS NOT NULL) total)
FROM bar b WHERE EXISTS (SELECT 1 FROM laid) ORDER BY 8, 3 DESC
