-- title: Saving by number of entries and threshold
-- question: From which threshold on does a packet of so many entries gain?
-- caption: Guest time saved against threshold 0 in percent of the packet, for packets that all have the
-- caption: same number of scatter-gather entries (fragments + 1: the header lies in the headroom). White
-- caption: with a dot is a tie: the 95 % interval of the paired difference contains 0, or the saving is under 0.1 %.
-- caption: The line is where the threshold reaches the number of entries.
-- order: 80
-- needs: 4 rows
-- with: points
SELECT label AS panel, thr, sg, avg(saved_percent) AS saved_percent,
       coalesce(half_width(saved_percent), 0) AS half_width_percent,
       abs(avg(saved_percent)) <= coalesce(half_width(saved_percent), 0)
           OR abs(avg(saved_percent)) < 0.1 AS tie
FROM gain WHERE sg IS NOT NULL AND nth = 1
GROUP BY label, sg, thr ORDER BY label, sg, thr
