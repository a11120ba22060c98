-- SPDX-License-Identifier: GPL-3.0-or-later
-- What a sweep of virtio_desc_cache_thr saves with one cost, or one regime of the device, at an end of its plausible range: every end that
-- was probed, of every case, as far as it moves the saving by more than a tenth.
--   sqlite3 -readonly build/thr.db <docs/probes.sql
-- Savings are of replication 0, against threshold 0; "as it is" is the same replication of the sweep.
.mode list
.headers off
.separator " | "
pragma temp_store = memory;

create temp table one as
select c.value sender, cast(t.number as integer) thr, coalesce(p.value, '') probe, n.value ns
from run r
join axis c on c.config_id = r.config_id and c.path = 'case'
join axis t on t.config_id = r.config_id and t.path = 'guest.virtio_desc_cache_thr'
left join axis p on p.config_id = r.config_id and p.path = 'probe'
join metric n on n.run_id = r.id and n.name = 'guest_ns_per_packet'
where r.replication = 0 and coalesce(p.value, '') <> 'fresh';

create temp table saved as
select x.sender, x.thr, x.probe, z.ns budget, z.ns - x.ns ns
from one x join one z on z.sender = x.sender and z.probe = x.probe and z.thr = 0
where x.thr = (select max(y.thr) from one y where y.sender = x.sender and y.probe <> '');

.print | sender | thr | with | packet without cache, ns | saved, ns | of the packet, % | moved by, ns |
.print |---|---|---|---|---|---|---|
select '| ' || s.sender, s.thr, coalesce(nullif('`' || nullif(s.probe, '') || '`', ''), 'as it is'), printf('%.0f', s.budget), printf('%.1f', s.ns),
       printf('%.2f', 100 * s.ns / s.budget), printf('%+.1f', s.ns - a.ns) || ' |'
from saved s join saved a on a.sender = s.sender and a.probe = ''
where s.probe = '' or abs(s.ns - a.ns) > 0.1 * abs(a.ns)
order by s.sender, s.probe <> '', s.ns;
