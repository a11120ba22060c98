-- title: Time saved per packet against the threshold
-- question: From which virtio_desc_cache_thr on does a transmit path stop gaining?
-- caption: Guest CPU time per packet at threshold 0 less the same at the threshold, paired
-- caption: replication by replication (same seed, same luck). Bands: {level} confidence, Student t over the
-- caption: replications. A step up marks a number of entries that many packets of the path have.
-- order: 10
-- with: points
SELECT label AS series, thr, avg(saved_ns) AS saved_ns,
       coalesce(half_width(saved_ns, level), 0) AS half_width_ns, count(*) AS replications,
       (SELECT text FROM straddle_note WHERE lines) AS note, (SELECT text FROM lines_note) AS note, (SELECT text FROM backend_note) AS note
FROM gain WHERE sg IS NULL AND nth <= 12
GROUP BY place, label, thr ORDER BY place, thr
