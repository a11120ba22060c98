-- title: The gain by kernel
-- question: On which kernels is the answer different?
-- caption: Guest time saved per packet, paired replication by replication (same seed, same luck), and over each bar
-- caption: the same in percent of the packet. Bars: {level} confidence. Rows of docs/datapath.md in which a switch of the transmit path changes.
-- order: 60
-- with: choices
SELECT panel, series, x, ns, half_ns, text, width,
       (SELECT text FROM backend_note) AS note FROM mark WHERE path = 'kernel' ORDER BY place, x
