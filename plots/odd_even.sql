-- title: Odd and even thresholds of an array
-- question: Do odd thresholds lose where the items of an array straddle cache lines?
-- caption: Guest time saved per packet against the same replication at threshold 0, where the cache is an array (v3,
-- caption: v4). Items lie side by side: with an odd threshold one in four straddles two lines, and below 4 two share
-- caption: one. Bars: {level} confidence.
-- order: 66
-- with: points
, array AS (
    SELECT g.*, g.thr % 2 AS odd FROM gain g
    JOIN param p ON p.config_id = g.config_id AND p.path = 'guest.desc_cache.variant'
    WHERE p.value IN ('v3', 'v4') AND g.sg IS NULL AND g.thr > 0
    AND g.place IN (SELECT place FROM gain WHERE sg IS NULL GROUP BY place
                    HAVING sum(thr % 2 = 1 AND thr > 1) > 0 AND sum(thr % 2 = 0 AND thr > 0) > 0)
)
SELECT CASE odd WHEN 1 THEN 'odd' ELSE 'even' END AS panel, label AS series, thr,
       avg(saved_ns) AS saved_ns, coalesce(half_width(saved_ns, level), 0) AS half_width_ns,
       (SELECT text FROM backend_note) AS note
FROM array WHERE nth <= 6 GROUP BY place, label, odd, thr ORDER BY place, odd, thr
