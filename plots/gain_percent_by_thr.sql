-- title: The same in percent of a packet
-- question: Is what the cache saves worth anything on this path?
-- caption: The saving divided by what the whole packet costs the guest CPU at threshold 0, from the system call or the ring of the socket to the reclaim. Bands: 95 % confidence of the paired ratio. 50 ns are much of an AF_XDP packet and nothing of a 64 KiB one.
-- order: 20
-- with: points
SELECT label AS series, thr, avg(saved_percent) AS saved_percent,
       coalesce(half_width(saved_percent), 0) AS half_width_percent, count(*) AS replications
FROM gain WHERE sg IS NULL
GROUP BY label, thr ORDER BY min(place), thr
