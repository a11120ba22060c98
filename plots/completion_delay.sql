-- title: How long completed zerocopy packets wait, by policy
-- question: What does a rule that rarely queues the worker cost the sender that waits for its pages?
-- caption: Share of zerocopy packets that the guest saw returned at most so long after the card was done with them; all
-- caption: replications together, at the largest packet size of the sweep. The horizontal axis is logarithmic; what is
-- caption: below 0.1 us is drawn at 0.1 us.
-- order: 220
-- needs: 4
-- with: host
, chosen AS (
    SELECT * FROM named n WHERE scenario_id IN (SELECT scenario_id FROM policy)
    AND (size IS NULL OR size = (SELECT max(size) FROM spot s WHERE s.scenario_id = n.scenario_id))
    AND NOT EXISTS (SELECT 1 FROM axis a WHERE a.config_id = n.config_id AND a.path = 'host.nic.moderation'
        AND a.value <> (SELECT b.value FROM axis b JOIN config c ON c.id = b.config_id WHERE c.scenario_id = n.scenario_id
                        AND b.path = a.path ORDER BY c.point_index LIMIT 1))
),
bin AS (
    SELECT n.place, n.label || CASE WHEN n.size IS NULL THEN '' ELSE printf(', %d B', CAST(n.size AS INTEGER)) END AS label,
           max(h.high, 0.1) AS us, sum(h.count) AS count
    FROM chosen n JOIN run r ON r.config_id = n.config_id
    JOIN histogram h ON h.run_id = r.id AND h.name = 'zerocopy_return'
    GROUP BY n.place, max(h.high, 0.1)
)
SELECT label AS series, us, 100.0 * sum(count) OVER (PARTITION BY place ORDER BY us) / sum(count) OVER (PARTITION BY place)
           AS share_percent, (SELECT text FROM backend_note) AS note
FROM bin WHERE (SELECT count(DISTINCT place) FROM bin) <= 12 ORDER BY place, us
