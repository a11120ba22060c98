-- A scenario that was swept twice, with seeds 1 and 2, over an axis that every variant sets itself: what is
-- asked of 0 and 4 is the same run. Variants "v1" and "v2" come to the same figures and save 50 ns of 400,
-- "slow" costs 10 ns. Three replications.
INSERT INTO scenario(id, name, question, file, text, sha256) VALUES
    (1, 'twice', 'Which version?', 'a.json', '{}', 'aa'), (2, 'twice', 'Which version?', 'a.json', '{}', 'bb');
CREATE TEMP TABLE kind(variant, variant_index INTEGER, saved, thr);
INSERT INTO kind VALUES ('off', 0, 0, 0), ('v1', 1, 50, 4), ('v2', 2, 50, 4), ('slow', 3, -10, 4);
INSERT INTO config(id, scenario_id, identity, variant, variant_index, point, point_index)
    SELECT 100 * s.id + 10 * t.column1 + k.variant_index, s.id, s.id || k.variant, k.variant, k.variant_index,
           'thr=' || t.column1, t.column1
    FROM scenario s, kind k, (VALUES (0), (4)) t;
INSERT INTO axis(config_id, path, value, number, axis_index)
    SELECT id, 'guest.virtio_desc_cache_thr', point_index, point_index, 0 FROM config;
INSERT INTO param(config_id, path, value)
    SELECT c.id, 'guest.virtio_desc_cache_thr', k.thr FROM config c JOIN kind k USING (variant)
    UNION ALL SELECT id, 'seed', scenario_id FROM config
    UNION ALL SELECT id, p.column1, p.column2 FROM config,
        (VALUES ('guest.tx_ring.size', '256'), ('guest.tx_ring.indirect', 'true'), ('guest.max_skb_frags', '17'),
                ('guest.bytes_per_sg', '16'), ('guest.slab.tables', 'kmalloc'), ('stop.confidence', '0.95'),
                ('guest.desc_cache.variant', 'v2'), ('guest.desc_cache.round_to_line', 'false')) p;
INSERT INTO result(id, identity, replication, seed, version, revision, steps, packets, fingerprint, hung_why,
                   wall_s, finished)
    SELECT 100 * s.id + 10 * k.variant_index + n.column1, s.id || k.variant, n.column1, '1', '0.1.0', 1, 1000, 100,
           printf('%016x', 100 * s.id + 10 * k.variant_index + n.column1), '', 0.1, '2026-01-01T00:00:00Z'
    FROM scenario s, kind k, (VALUES (0), (1), (2)) n;
INSERT INTO metric(run_id, name, value)
    SELECT r.id, n.column1, CASE n.column1
        WHEN 'guest_ns_per_packet' THEN 400 - k.saved + 3 * replication
        WHEN 'desc_cache_bytes' THEN 64 + k.thr
        ELSE CASE WHEN k.thr > 0 THEN 100 ELSE 0 END END
    FROM result r JOIN scenario s JOIN kind k ON r.identity = s.id || k.variant,
         (VALUES ('guest_ns_per_packet'), ('desc_cache_bytes'), ('desc_cache_hit_percent')) n;
INSERT INTO metric(run_id, name, value)
    SELECT r.id, n.column1, n.column2 - k.saved * n.column3
    FROM result r JOIN scenario s JOIN kind k ON r.identity = s.id || k.variant,
         (VALUES ('allocator_ns_per_packet', 40, 0.75), ('desc_cache_ns_per_packet', 0, 0),
                 ('table_lines_exposed_ns_per_packet', 24, 0), ('table_lines_hidden_ns_per_packet', 3, 0),
                 ('ring_lines_ns_per_packet', 45, 0)) n;
INSERT INTO symbol(run_id, name, ns_per_packet)
    SELECT r.id, s.column1, s.column2 FROM result r, (VALUES ('stack', 300.0), ('virtqueue_add', 100.0)) s;
INSERT INTO histogram(run_id, name, unit, low, high, count)
    SELECT id, 'in_flight', 'packets', 0, 1, 5 FROM result;
DROP TABLE kind;
