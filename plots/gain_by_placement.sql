-- title: The gain by placement
-- question: How does the gain depend on where the device's CPU is?
-- caption: Guest time saved per packet, paired replication by replication (same seed, same luck), and over each bar
-- caption: the same in percent of the packet. Bars: {level} confidence. Only same_llc was fitted to a measurement; the costs of the other placements are guesses.
-- order: 64
-- with: choices
SELECT panel, series, x, ns, half_ns, text, width,
       (SELECT text FROM backend_note) AS note FROM mark WHERE path = 'host.placement' ORDER BY place, x
