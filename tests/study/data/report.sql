-- What the report's tests draw: a sweep of the threshold over two cases and a small heat map, three
-- replications each, in a store whose tables exist already. Case "xsk" gains 50 ns from threshold 2 on,
-- case "udp" uses no table; names hold what markup and quoting could stumble over.
INSERT INTO scenario(id, name, question, file, text, sha256) VALUES
    (1, 'thr <b>"sweep"</b> & ''more''', 'Is <script>alert(1)</script> größer & "better"?', 'a.json', '{}', 'aa'),
    (2, 'heat', 'From which number of entries on?', 'b.json', '{ }', 'bb');
INSERT INTO warning(scenario_id, text) VALUES (1, 'a.json:1:1: warning: <i>is</i> & "odd"');

CREATE TEMP TABLE spot(config_id INTEGER PRIMARY KEY, scenario_id, name, thr, frags, base, saved, needs);
INSERT INTO spot(scenario_id, name, thr, frags, base, saved, needs)
    SELECT 1, c.column1, t.column1, NULL, c.column2,
           CASE WHEN c.column3 AND t.column1 >= 2 THEN 50 ELSE 0 END, c.column3
    FROM (VALUES ('xsk <n="2">', 400, 1), ('udp & ''small''_{x}\n', 3000, 0)) c,
         (VALUES (0), (1), (2), (4), (18)) t;
INSERT INTO spot(scenario_id, name, thr, frags, base, saved, needs)
    SELECT 2, NULL, t.column1, f.column1, 400, CASE WHEN t.column1 > f.column1 THEN 40 ELSE 0 END, 1
    FROM (VALUES (1), (2), (3)) f, (VALUES (0), (2), (4)) t;

INSERT INTO config(id, scenario_id, identity, variant, variant_index, point, point_index)
    SELECT config_id, scenario_id, 'identity ' || config_id, 'base', 0, 'point ' || config_id, config_id
    FROM spot;
INSERT INTO param(config_id, path, value)
    SELECT config_id, 'guest.virtio_desc_cache_thr', thr FROM spot
    UNION ALL SELECT config_id, p.column1, p.column2 FROM spot,
        (VALUES ('guest.tx_ring.size', '256'), ('guest.tx_ring.indirect', 'true'), ('workload.size', '64'),
                ('guest.max_skb_frags', '17'), ('guest.bytes_per_sg', '16'), ('guest.slab.tables', 'kmalloc'),
                ('guest.desc_cache.variant', 'v2'), ('guest.desc_cache.round_to_line', 'false'),
                ('stop.confidence', '0.9'), ('seed', '1')) p;
INSERT INTO axis(config_id, path, value, number, axis_index)
    SELECT config_id, 'case', name, NULL, 0 FROM spot WHERE name IS NOT NULL
    UNION ALL SELECT config_id, 'workload.frags', frags, frags, 0 FROM spot WHERE frags IS NOT NULL
    UNION ALL SELECT config_id, 'guest.virtio_desc_cache_thr', thr, thr, 1 FROM spot;

INSERT INTO result(id, identity, replication, seed, version, revision, steps, packets, fingerprint,
                   hung_why, wall_s, finished)
    SELECT config_id * 10 + n.column1, 'identity ' || config_id, n.column1, '18446744073709551615',
           '0.1.0', 1, 1000, 100, printf('%016x', config_id * 10 + n.column1), '', 0.1,
           '2026-01-01T00:00:00Z'
    FROM spot, (VALUES (0), (1), (2)) n;
-- The replications of a point share 3 ns of luck, and the difference wobbles by 0.2 ns.
INSERT INTO metric(run_id, name, value)
    SELECT r.id, 'guest_ns_per_packet',
           base - saved + 3 * replication
           + CASE WHEN saved > 0 THEN 0.2 * (replication - 1) ELSE 0 END
    FROM spot JOIN result r ON r.identity = 'identity ' || config_id;
INSERT INTO metric(run_id, name, value)
    SELECT m.run_id, 'tx_pps', 1e9 / m.value FROM metric m;
INSERT INTO metric(run_id, name, value)
    SELECT r.id, n.column1, CASE n.column1
        WHEN 'tables_per_packet' THEN needs
        WHEN 'desc_cache_hit_percent' THEN CASE WHEN needs THEN CASE WHEN thr >= 2 THEN 100 ELSE 0 END END
        WHEN 'desc_cache_bytes' THEN needs * (64 + 100 * thr)
        WHEN 'desc_cache_asked_bytes' THEN needs * 16 * thr
        ELSE 0.25 END
    FROM spot JOIN result r ON r.identity = 'identity ' || config_id,
         (VALUES ('tables_per_packet'), ('desc_cache_hit_percent'), ('desc_cache_bytes'),
                 ('desc_cache_asked_bytes'), ('kicks_per_packet'), ('interrupts_per_packet')) n;
-- Where a table is used: of the 50 ns that are saved, 40 are the allocator's.
INSERT INTO metric(run_id, name, value)
    SELECT r.id, n.column1, CASE WHEN needs THEN CASE WHEN saved > 0 THEN n.column3 ELSE n.column2 END ELSE 0 END
    FROM spot JOIN result r ON r.identity = 'identity ' || config_id,
         (VALUES ('allocator_ns_per_packet', 40, 0), ('desc_cache_ns_per_packet', 0, 4),
                 ('table_lines_exposed_ns_per_packet', 24, 8), ('table_lines_hidden_ns_per_packet', 3, 4),
                 ('ring_lines_ns_per_packet', 45, 45)) n;
INSERT INTO symbol(run_id, name, ns_per_packet)
    SELECT r.id, s.column1, CASE s.column1 WHEN 'virtqueue_add' THEN 100.0 - saved ELSE s.column2 END
    FROM spot JOIN result r ON r.identity = 'identity ' || config_id,
         (VALUES ('stack', 200.0), ('virtqueue_add', 100.0), ('detach_buf', 60.0), ('new_symbol', 40.0)) s;
INSERT INTO histogram(run_id, name, unit, low, high, count)
    SELECT r.id, 'in_flight', 'packets', h.column1, h.column1 + 1, h.column2
    FROM spot JOIN result r ON r.identity = 'identity ' || config_id, (VALUES (0, 5), (1, 3), (7, 2)) h;
UPDATE result SET hung_why = 'the <i>host</i> sleeps' WHERE id = (SELECT min(id) FROM result);
DROP TABLE spot;
