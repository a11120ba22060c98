-- title: The gain by allocator profile
-- question: Does the gain hold with the allocators that distributions ship, and would a rival do as well?
-- caption: Guest time saved per packet, paired replication by replication (same seed, same luck), and over each bar
-- caption: the same in percent of the packet. Bars: {level} confidence. none is the bed of 2021, newest the sheaves of kernel 7.0.
-- order: 62
-- with: choices
SELECT panel, series, x, ns, half_ns, text, width,
       (SELECT text FROM backend_note) AS note FROM mark WHERE path = 'guest.slab.profile' ORDER BY place, x
