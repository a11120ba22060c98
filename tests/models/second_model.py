#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A second model of the AF_XDP transmit loop with two entries per packet, for tests only: second_model.py SHOWN PHASE_NS

Another structure than the program's, by a hand that knew it: the guest is sequential code with its own clock,
and the device is caught up to that clock before each shared access. Split ring, tables, a saturating sender, a polling
device, no jitter; the one notification in 65536 packets is left out. SHOWN: what `vqsim show` prints. A third
argument, "parked": looks of an idle device at an index that did not move leave the line where it is.
"""
import json
import sys
GUEST, SHARED, HOST = 0, 1, 2  # a line: written by the guest or untouched, read by the device, written by it
# What moves a line: the states it must be in, and the one that it goes to.
GUEST_WRITE, GUEST_READ = ((SHARED, HOST), GUEST), ((HOST,), SHARED)
HOST_READ, HOST_WRITE = ((GUEST,), SHARED), ((GUEST, SHARED), HOST)

def ps(text):
    digits = text.rstrip("pnums")
    return round(float(digits) * {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}[text[len(digits):]])

class Lines:
    def __init__(self):
        self.state = {}

    def touch(self, how, first, size):
        """An access to a range; returns how many lines it moved."""
        lines = [i for i in range(first // 64, (first + size - 1) // 64 + 1) if self.state.get(i, GUEST) in how[0]]
        self.state.update((i, how[1]) for i in lines)
        return len(lines)

class Slub:
    """Objects of `size` bytes in pages of 4 KiB; a page is a dict of its free objects and where it is."""

    def __init__(self, lines, cost, size, dedicated):
        self.lines, self.cost, self.size = lines, cost["slab"], size
        self.hidden = cost["memory"]["write_free"]
        self.get_ps = self.cost["kmem_alloc"] if dedicated else self.cost["kmalloc"] + self.cost["kmalloc_slab"]
        self.put_ps = self.cost["kmem_free"] if dedicated else self.cost["kfree"]
        self.pages, self.partial, self.cpu = [], [], None

    def get(self):
        cost = self.get_ps
        if not self.cpu or not self.cpu["free"]:
            cost += self.cost["slow_alloc"]
            if self.cpu: self.cpu["at"] = "full"
            if not self.partial:
                cost += self.cost["new_page"]
                start = (256 + len(self.pages)) * 4096
                self.pages.append({"free": [start + i * self.size for i in range(4096 // self.size)][::-1]})
                self.partial.append(self.pages[-1])
            self.cpu = self.partial.pop()
            self.cpu["at"] = "cpu"
        return self.cpu["free"].pop(), cost

    def put(self, table):
        """The link in the middle of the object is written, hidden behind the rest of the sweep."""
        cost = self.put_ps + self.hidden * self.lines.touch(GUEST_WRITE, table + self.size // 2, 8)
        page = self.pages[table // 4096 - 256]
        page["free"].append(table)
        if page is self.cpu: return cost
        if page["at"] == "full":
            page["at"] = "partial"
            self.partial.append(page)
            assert len(self.pages) <= 3, "more slabs than the CPU's partial list is sure to hold"
        return cost + self.cost["slow_free"]

class Cache:
    """The descriptor cache, version 2: a doubly linked list of items, last in, first out."""

    def __init__(self, slub, pop_push):
        self.slub, self.items, self.pop_push = slub, [], pop_push

    def get(self):
        # The neighbour is a free item: its line is the guest's.
        return (self.items.pop(), self.pop_push) if self.items else self.slub.get()

    def put(self, item):
        self.items.append(item)
        return self.pop_push + self.slub.hidden * self.slub.lines.touch(GUEST_WRITE, item, 8)

class Device:
    """Polls on a grid, works through what it finds, returns it in bursts that become visible later."""

    def __init__(self, loop, backend, cost, phase, parked):
        self.loop, self.parked, self.now = loop, parked, -phase
        self.batch, self.most = backend["batch"], backend["publish"]
        self.interval, self.latency = ps(backend["poll_interval"]), ps(backend["latency"])
        self.packet = sum(cost[name] for name in ("packet", "ring_fetch", "entry_fetch", "table_fetch"))
        self.taken = self.used = self.left = self.burst = 0
        self.working, self.idle, self.later = False, False, []

    def catch_up(self, until):
        while True:
            due = self.later[0][0] if self.later else until
            if min(self.now, due) >= until: return
            if due <= self.now:
                self.publish(*self.later.pop(0))
            else:
                self.step(until)

    def publish(self, due, count):
        loop = self.loop
        if self.used == 0:  # the first decision always calls
            loop.interrupt_at = due + loop.call_latency
        for i in range(self.used, self.used + count):
            loop.lines.touch(HOST_WRITE, loop.used_at + 4 + 8 * (i % loop.size), 8)
        self.used += count
        loop.lines.touch(HOST_WRITE, loop.used_at + 2, 2)
        loop.lines.touch(HOST_READ, loop.avail_at + 4 + 2 * loop.size, 2)  # the guest's event

    def step(self, until):
        loop, lines = self.loop, self.loop.lines
        if self.working:
            self.working, self.burst = False, self.burst + 1
        if self.left == 0:
            self.left = min(loop.sent - self.taken, self.batch)
            if self.left > 0 or not (self.idle and self.parked):
                lines.touch(HOST_READ, loop.avail_at + 2, 2)
            self.idle = self.left == 0
        if self.burst == self.most or (self.burst and self.left == 0):
            self.later.append((self.now + self.latency, self.burst))
            self.burst = 0
        if self.left == 0:  # looks that nothing can change are passed over: the guest acts at `until` next
            self.now += max(1, -(-(until - self.now) // self.interval)) * self.interval
            return
        slot = self.taken % loop.size
        head, table = loop.ring[slot]
        for first, size in ((loop.avail_at + 4 + 2 * slot, 2), (16 * head, 16), (table, 32)):
            lines.touch(HOST_READ, first, size)
        self.left -= 1
        self.taken += 1
        self.working, self.now = True, self.now + self.packet

class Loop:
    def __init__(self, shown, phase, parked):
        cost = {group: {name: ps(text) for name, text in rows.items()} for group, rows in shown["costs"].items()}
        guest = shown["guest"]
        self.c, self.m, self.lines = cost["guest"], cost["memory"], Lines()
        self.size, self.budget = guest["tx_ring"]["size"], guest["xsk"]["budget"]
        self.avail_at, self.used_at = 16 * self.size, 16 * self.size + 4096
        self.ring, self.free = [None] * self.size, list(range(self.size))[::-1]
        self.now = self.sent = self.reclaimed = 0
        self.call_latency, self.interrupt_at = cost["notify"]["call_latency"], float("inf")
        thr, dedicated = guest["virtio_desc_cache_thr"], guest["slab"]["tables"] == "kmem_cache"
        self.tables = Slub(self.lines, cost, 64 if thr else 32, dedicated)
        if thr and not dedicated:
            self.tables = Cache(self.tables, cost["cache"]["pop_push"])
        self.device = Device(self, shown["host"]["backend"], cost["host"], phase, parked)

    def meet(self):
        self.device.catch_up(self.now)
        if self.now >= self.interrupt_at:
            self.now, self.interrupt_at = self.now + self.c["hardirq"], float("inf")
            self.device.catch_up(self.now)

    def reclaim(self):
        c, lines, load = self.c, self.lines, self.m["read_used"]
        while True:
            self.meet()
            self.now += load * lines.touch(GUEST_READ, self.used_at + 2, 2)
            if self.device.used == self.reclaimed: return
            slot = self.reclaimed % self.size
            head, table = self.ring[slot]
            self.now += c["get_buf"] + load * lines.touch(GUEST_READ, self.used_at + 4 + 8 * slot, 8)
            self.now += c["detach"] + self.tables.put(table) + c["free_frame"]
            self.free.append(head)
            self.reclaimed += 1

    def send(self):
        c, lines, store = self.c, self.lines, self.m["write_ring"]
        self.now += c["xsk_run"] + c["xsk_peek"] + c["xsk_xmit"] + c["add_outbuf"] + c["sg_init"]
        table, cost = self.tables.get()
        self.now += cost
        self.meet()
        slot, head = self.sent % self.size, self.free.pop()
        self.ring[slot] = (head, table)
        cost = self.m["write_alloc"] if lines.touch(GUEST_WRITE, table, 32) else 0  # one drain, however many lines
        cost += store * (lines.touch(GUEST_WRITE, 16 * head, 16) + lines.touch(GUEST_WRITE, self.avail_at + 4 + 2 * slot, 2))
        self.now += c["add"] + cost
        self.meet()
        self.now += store * lines.touch(GUEST_WRITE, self.avail_at + 2, 2)
        self.sent += 1
        self.meet()
        event = self.used_at + 4 + 8 * self.size
        self.now += c["kick_prepare"] + self.m["read_used"] * lines.touch(GUEST_READ, event, 2)

    def run(self, until):
        while self.now < until:
            self.reclaim()
            for _ in range(min(self.budget, len(self.free) - 18)):
                self.send()

with open(sys.argv[1]) as file:
    shown = json.load(file)
loop = Loop(shown, round(1000 * float(sys.argv[2])), sys.argv[3:] == ["parked"])
loop.run(ps(shown["warmup"]))
begin, sent = loop.now, loop.sent
loop.run(begin + ps(shown["duration"]))
print("%.4f" % ((loop.now - begin) / 1000 / (loop.sent - sent)))
