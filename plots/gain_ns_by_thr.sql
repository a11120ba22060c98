-- title: Time saved per packet against the threshold
-- question: From which virtio_desc_cache_thr on does a transmit path stop gaining?
-- caption: Guest CPU time per packet at threshold 0 less the same at the threshold, paired replication by replication (same seed, same luck). Bands: 95 % confidence (Student t over the replications); above the grey line is a gain. A step marks the number of entries that the path's packets have.
-- order: 10
-- with: points
SELECT label AS series, thr, avg(saved_ns) AS saved_ns,
       coalesce(half_width(saved_ns), 0) AS half_width_ns, count(*) AS replications
FROM gain WHERE sg IS NULL
GROUP BY label, thr ORDER BY min(place), thr
