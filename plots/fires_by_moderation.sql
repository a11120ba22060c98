-- title: Callbacks that queue the worker against completion moderation
-- question: How many of the worker's extra runs does the card's moderation take away before any policy does?
-- caption: Zerocopy completions that queued the worker (fires), and those of them that began a run which found a
-- caption: packet or a completed one (useful, dashed), per second, against the card's completion moderation. Mean over
-- caption: the replications; bars: {level} confidence.
-- order: 210
-- needs: 4
-- with: host
, moderated AS (
    SELECT x.*, CAST(a.value AS REAL) * CASE WHEN a.value LIKE '%ns' THEN 0.001 WHEN a.value LIKE '%us' THEN 1
               WHEN a.value LIKE '%ms' THEN 1000 ELSE 1e6 END AS moderation_us
    FROM ran x JOIN axis a ON a.config_id = x.config_id AND a.path = 'host.nic.moderation'
),
fires AS (
    SELECT x.*, f.value / 1000 AS fired, f.value * coalesce(u.value, 0) / 100000 AS useful
    FROM moderated x JOIN metric f ON f.run_id = x.run_id AND f.name = 'callback_polls_per_s' AND f.value IS NOT NULL
    LEFT JOIN metric u ON u.run_id = x.run_id AND u.name = 'callback_polls_useful_percent'
)
SELECT label AS series, moderation_us, avg(fired) AS fired, coalesce(half_width(fired, level), 0) AS fired_half,
       avg(useful) AS useful, coalesce(half_width(useful, level), 0) AS useful_half, (SELECT text FROM backend_note) AS note
FROM fires WHERE (SELECT count(*) FROM axis a JOIN config c ON c.id = a.config_id
    WHERE c.scenario_id = fires.scenario_id AND a.path = 'host.nic.moderation') > 1
GROUP BY label, moderation_us
ORDER BY min(place) OVER (PARTITION BY label), label, moderation_us
