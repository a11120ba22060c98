-- title: The same in percent of a packet
-- question: Is what the cache saves worth anything on this path?
-- caption: The saving divided by what the whole packet costs the guest CPU at threshold 0, from the system
-- caption: call or the socket's ring to the reclaim. Left: all paths. Right, where there are such: the
-- caption: paths that never reach a fifth of the largest saving, on their own scale. Bands: {level} confidence
-- caption: of the paired ratio.
-- order: 20
-- with: points
, line AS (
    SELECT place, label, thr, avg(saved_percent) AS saved_percent,
           coalesce(half_width(saved_percent, level), 0) AS half_width_percent, count(*) AS replications
    FROM gain WHERE sg IS NULL AND nth <= 12 GROUP BY place, label, thr
),
peak AS (SELECT place, max(abs(saved_percent)) AS most FROM line GROUP BY place),
panel AS (
    SELECT 'all paths' AS panel, place FROM peak
    UNION ALL
    SELECT 'the small ones', place FROM peak
    WHERE most < 0.2 * (SELECT max(most) FROM peak)
    AND EXISTS (SELECT 1 FROM peak WHERE most < 0.2 * (SELECT max(most) FROM peak) AND most > 0)
)
SELECT panel, label AS series, thr, saved_percent, half_width_percent, replications,
       (SELECT text FROM lines_note) AS note, (SELECT text FROM backend_note) AS note
FROM panel JOIN line USING (place) ORDER BY panel, place, thr
