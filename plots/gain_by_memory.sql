-- title: What the memory buys
-- question: Which thresholds are worth their bytes?
-- caption: Saving in percent of the packet against the peak memory of the queue's indirect tables; a point
-- caption: is a threshold. Blue and joined: the thresholds for which no cheaper one saves as much within
-- caption: the intervals; the number is the threshold (left out where two lie on each other). Bars: {level}
-- caption: confidence of the saving. Each path has its own scales; at most nine paths that use tables are
-- caption: drawn.
-- order: 40
-- with: points
, spot AS (
    SELECT g.place, g.label, g.thr, avg(g.saved_percent) AS saved_percent,
           coalesce(half_width(g.saved_percent, g.level), 0) AS half_width_percent, avg(m.value) AS bytes
    FROM gain g JOIN metric m ON m.run_id = g.run_id AND m.name = 'desc_cache_bytes'
    WHERE g.sg IS NULL AND m.value IS NOT NULL GROUP BY g.place, g.label, g.thr
),
used AS (
    SELECT *, dense_rank() OVER (ORDER BY place) AS nth,
           max(bytes) OVER (PARTITION BY place) AS most_bytes,
           max(saved_percent) OVER (PARTITION BY place)
           - min(saved_percent) OVER (PARTITION BY place) AS span_percent
    FROM spot
    WHERE place IN (SELECT place FROM spot GROUP BY place HAVING max(bytes) > 0)
),
judged AS (
    SELECT *, NOT EXISTS (SELECT 1 FROM used q WHERE q.place = u.place AND q.thr <> u.thr
               AND (q.bytes < u.bytes OR (q.bytes = u.bytes AND q.thr < u.thr))
               AND q.saved_percent + q.half_width_percent >= u.saved_percent - u.half_width_percent)
           AS worth
    FROM used u WHERE nth <= 9
),
next AS (
    SELECT place, thr, lead(bytes) OVER (PARTITION BY place ORDER BY bytes, thr) AS bytes,
           lead(saved_percent) OVER (PARTITION BY place ORDER BY bytes, thr) AS saved_percent
    FROM judged WHERE worth
)
SELECT j.label AS series, j.thr, j.bytes, j.saved_percent, j.half_width_percent, j.worth,
       CASE WHEN NOT j.worth THEN '' WHEN n.bytes IS NULL
            OR n.saved_percent - j.saved_percent > 0.11 * j.span_percent
            OR n.bytes - j.bytes > 0.09 * j.most_bytes THEN CAST(j.thr AS TEXT) ELSE '' END AS name,
       (SELECT text FROM backend_note) AS note
FROM judged j LEFT JOIN next n USING (place, thr) ORDER BY j.place, j.bytes, j.thr
