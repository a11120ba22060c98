-- SPDX-License-Identifier: GPL-3.0-or-later
-- The tables of docs/answers.md, from the store of scenarios/desc-cache/answers.json and what `recommend --json` says of it before
-- and after its answers were probed; docs/answers.md has the commands:
--   sqlite3 -readonly build/answers.db <docs/answers.sql
-- Tables of every value are of the sweep; the value, what it saves and the range are of the probes.
.mode list
.headers off
.separator " "
pragma temp_store = memory;

create temp table one as
select c.value sender, p.value place, b.value backend, k.value kernel, s.value profile, cast(t.number as integer) thr, r.replication rep,
       n.value ns, m.value bytes
from run r
join axis c on c.config_id = r.config_id and c.path = 'case'
join axis p on p.config_id = r.config_id and p.path = 'host.placement'
join axis b on b.config_id = r.config_id and b.path = 'host.backend.type'
join axis k on k.config_id = r.config_id and k.path = 'kernel'
join axis s on s.config_id = r.config_id and s.path = 'guest.slab.profile'
join axis t on t.config_id = r.config_id and t.path = 'guest.virtio_desc_cache_thr'
join metric n on n.run_id = r.id and n.name = 'guest_ns_per_packet'
join metric m on m.run_id = r.id and m.name = 'desc_cache_bytes'
where not exists (select 1 from axis a where a.config_id = r.config_id and a.path = 'probe');
create index temp.one_key on one(sender, place, backend, kernel, profile, thr, rep);

create temp table saved as
select x.sender, x.place, x.backend, x.kernel, x.profile, x.thr, avg(z.ns) budget, max(x.bytes) bytes, avg(100 * (z.ns - x.ns) / z.ns) pc
from one x join one z using (sender, place, backend, kernel, profile, rep)
where z.thr = 0
group by x.sender, x.place, x.backend, x.kernel, x.profile, x.thr;

create temp table verdict as
select c.value ->> 'case' machine, cast(v.value ->> 'value' as integer) thr, v.value ->> 'regret_percent' regret, v.value ->> 'verdict' verdict
from json_each(readfile('build/answers-recommend.json'), '$.cases') c, json_each(c.value, '$.values') v;

create temp table probed as
select c.value ->> 'case' machine, cast(c.value ->> 'recommended' as integer) recommended, c.value ->> '$.saving.ns_per_packet' ns,
       c.value ->> '$.saving.half_width' half, c.value ->> '$.saving.percent' pc, c.value ->> '$.saving.least_ns' least,
       c.value ->> '$.saving.most_ns' most, c.value ->> '$.saving.least_at' least_at, c.value ->> '$.saving.most_at' most_at
from json_each(readfile('build/answers-probed.json'), '$.cases') c;

create temp table answer as
select s.*, p.recommended, p.ns, p.half, p.pc probed_pc, p.least, p.most, p.least_at, p.most_at, v.regret, v.verdict
from (select *, sender || ', host.placement=' || place || ', host.backend.type=' || backend || ', kernel=' || kernel || ', guest.slab.profile=' || profile machine
      from saved) s
join verdict v on v.machine = s.machine and v.thr = s.thr
join probed p on p.machine = s.machine;

create temp table senders(sender, place_in_page);
insert into senders values ('xsk', 1), ('tcp_write', 2), ('redis', 3), ('sendfile', 4), ('mixed', 5), ('udp_small', 6);

.print
.print ## recommended: number of machines
.print "| sender | budget, ns | 0 (tie) | 2 | 3 | 4 | 5 | 6 | 17 | 18 | 19 |"
.print "|---|---|---|---|---|---|---|---|---|---|---|"
select printf('| %s | %,.0f..%,.0f | %d | %d | %d | %d | %d | %d | %d | %d | %d |', sender, min(budget), max(budget), sum(recommended = 0), sum(recommended = 2),
              sum(recommended = 3), sum(recommended = 4), sum(recommended = 5), sum(recommended = 6), sum(recommended = 17), sum(recommended = 18),
              sum(recommended = 19))
from answer join senders using (sender) where thr = recommended group by sender order by place_in_page;

.print
.print ## saved against 0, percent, least..most over machines
.print "| sender | 2 | 3 | 4 | 5 | 6 | 17 | 18 | 19 |"
.print "|---|---|---|---|---|---|---|---|---|"
select printf('| %s | %s |', sender, group_concat(cell, ' | '))
from (select sender, place_in_page, thr, printf('%.2f..%.2f', min(pc), max(pc)) cell from answer join senders using (sender) where thr > 0
      group by sender, thr order by place_in_page, thr)
group by sender order by place_in_page;

.print
.print ## loses most against the best, percent (machines where best or tie)
.print "| sender | 0 | 2 | 3 | 4 | 5 | 6 | 17 | 18 | 19 |"
.print "|---|---|---|---|---|---|---|---|---|---|"
select printf('| %s | %s |', sender, group_concat(cell, ' | '))
from (select sender, place_in_page, thr, printf('%.2f (%d)', max(regret), sum(verdict in ('best', 'tie'))) cell from answer join senders using (sender)
      group by sender, thr order by place_in_page, thr)
group by sender order by place_in_page;

.print
.print ## memory: peak, bytes, least..most over machines
.print "| sender | 0 | 2 | 3 | 4 | 6 | 18 | 19 |"
.print "|---|---|---|---|---|---|---|---|"
select printf('| %s | %s |', sender, group_concat(cell, ' | '))
from (select sender, place_in_page, thr, case when min(bytes) = max(bytes) then printf('%,d', max(bytes)) else printf('%,d..%,d', min(bytes), max(bytes)) end cell
      from answer join senders using (sender) where thr in (0, 2, 3, 4, 6, 18, 19) group by sender, thr order by place_in_page, thr)
group by sender order by place_in_page;

.print
.print ## each machine
create temp table grid as
select sender, place_in_page, kernel, profile, place, backend,
       case when recommended = 0 then '0: tie'
            else printf('%d: %.1f ± %.1f ns, %.2f %% (%d..%d)', recommended, ns, half, probed_pc, cast(round(least) as integer), cast(round(most) as integer)) end cell
from answer join senders using (sender) where thr = recommended and sender <> 'udp_small';
select case when row_number() over (partition by sender order by kernel, instr('none debian12 el9 newest', profile)) = 1
            then printf('%s### %s%s| kernel | allocator | polling, same_llc | polling, cross_llc | kicked, same_llc | kicked, cross_llc |%s|---|---|---|---|---|---|%s',
                        char(10), sender, char(10, 10), char(10), char(10)) else '' end ||
       printf('| %s | %s | %s | %s | %s | %s |', kernel, profile, max(case when backend = 'polling' and place = 'same_llc' then cell end),
              max(case when backend = 'polling' and place = 'cross_llc' then cell end), max(case when backend = 'kicked' and place = 'same_llc' then cell end),
              max(case when backend = 'kicked' and place = 'cross_llc' then cell end))
from grid group by sender, kernel, profile order by place_in_page, kernel, instr('none debian12 el9 newest', profile);

.print
.print ## ends of the costs: machines at which one is the least or the most
select printf('| %s | %s | %d |', sender, least_at, count(*)) from answer join senders using (sender) where thr = recommended and least_at is not null
group by sender, least_at order by place_in_page, count(*) desc;
select printf('| %s | most | %s | %d |', sender, most_at, count(*)) from answer join senders using (sender) where thr = recommended and most_at is not null
group by sender, most_at order by place_in_page, count(*) desc;
