#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The notification protocols once more, in another language and another shape.

A party is a generator that yields what it does and is sent what it reads. Its state is the history of
what it was sent: no program counter, no registers, no packing. A store buffer has any depth. Prints a
line a case: protocol, barriers of producer and consumer, re-check or not, and the steps of the shortest
hang, or "never".

  second_machine.py DEPTH     entries of a store buffer; 0: no limit
"""
import sys

SLEEPING = "sleep"


def barrier(kind):
    if kind != "none":
        yield ("full",) if kind == "full" else ("nothing",)


# Hands over one piece of work.
def producer(work, ask, wanted, wakes, kind):
    yield "store", work, 1
    yield from barrier(kind)
    if (yield "load", ask) == wanted:
        yield "wake", wakes


def putting(work, ask, wakes):
    yield "store", work, 1
    yield "locked", "refs", lambda refs: refs - 1
    if (yield "load", ask) == 0:
        yield "wake", wakes


# What a party has seen is told when it sleeps.
def consumer(work, ask, event, kind, recheck):
    while True:
        seen = yield "load", work
        while True:
            yield "store", ask, seen if event else 0
            yield from barrier(kind)
            again = (yield "load", work) if recheck else seen
            if again == seen:
                yield SLEEPING, {work: seen}
                if not event:
                    yield "store", ask, 1
                break
            if not event:
                yield "store", ask, 1
                break
            seen = again


def exiting():
    while True:
        seen = yield "load", "done"
        yield SLEEPING, {"done": seen}


def vhost_worker(kind, recheck):
    while True:
        done = yield "load", "done"
        avail = yield "load", "avail"
        yield "store", "no_notify", 0
        yield from barrier(kind)
        if (yield "load", "avail") == avail and (not recheck or (yield "load", "done") == done):
            yield SLEEPING, {"done": done, "avail": avail}
        yield "store", "no_notify", 1


def interrupt(remember):
    while True:
        yield SLEEPING, {}
        yield "store", "no_interrupt", 1
        if (yield "locked", "napi", lambda old: remember if old else "scheduled") == "idle":
            yield "wake", 2


def complete(old):
    return "scheduled" if old == "missed" else "idle"


def poll(order, kind, recheck):
    while True:
        seen = yield "load", "used"
        missed = found = False
        for action in order:
            if action == "enable":
                yield "store", "no_interrupt", 0
            elif action == "complete" and not found:
                missed = (yield "locked", "napi", complete) == "missed"
            elif action == "look" and not missed:
                yield from barrier(kind)
                found = recheck and (yield "load", "used") != seen
            if missed:
                break
            if found and order[-1] == "complete":
                break
        if found and order[-1] == "look":
            if (yield "locked", "napi", lambda old: "missed" if old != "idle" else "scheduled") != "idle":
                yield SLEEPING, {"used": seen}
        elif not found and not missed:
            yield SLEEPING, {"used": seen}
        yield "store", "no_interrupt", 1


def counted(entry, before):
    count = (yield "load", "refs") if before else None
    yield "store", entry, 1
    old = yield "locked", "refs", lambda refs: refs - 1
    if (count if before else old) <= 2:
        yield "wake", 1


def counting_worker():
    seen = {"done_1": 0, "done_2": 0}
    while True:
        yield SLEEPING, dict(seen)
        for entry in seen:
            seen[entry] = yield "load", entry


def cases(p, c, again):
    """All protocols: name, memory at first, parties."""
    def napi(order, remember="missed"):
        return ({"used": 0, "no_interrupt": 1, "napi": "scheduled"},
                [lambda: producer("used", "no_interrupt", 0, 1, p), lambda: interrupt(remember),
                 lambda: poll(order, c, again)])

    def pair(work, ask, event):
        return ({work: 0, ask: -1 if event else 1},
                [lambda: producer(work, ask, 0, 1, p), lambda: consumer(work, ask, event, c, again)])

    yield ("callback", *pair("done", "no_notify", False))
    yield ("callback-put", {"done": 0, "no_notify": 1, "refs": 3},
           [lambda: putting("done", "no_notify", 1), lambda: consumer("done", "no_notify", False, c, again)])
    yield ("callback-exit", {"done": 0, "no_notify": 1},
           [lambda: producer("done", "no_notify", 0, 1, p), exiting])
    yield ("vhost", {"avail": 0, "no_notify": 1, "done": 0},
           [lambda: producer("avail", "no_notify", 0, 1, "full"), lambda: vhost_worker(c, again),
            lambda: producer("done", "no_notify", 0, 1, p)])
    yield ("kick-flags", *pair("avail", "no_notify", False))
    yield ("kick-event", *pair("avail", "avail_event", True))
    yield ("call-flags", *pair("used", "no_interrupt", False))
    yield ("call-event", *pair("used", "used_event", True))
    yield ("napi", *napi(("enable", "complete", "look")))
    yield ("napi-complete-first", *napi(("complete", "enable", "look")))
    yield ("napi-look-first", *napi(("enable", "look", "complete")))
    yield ("napi-no-missed", *napi(("enable", "look", "complete"), "scheduled"))
    for name, before in (("refcount-read", True), ("refcount-put", False)):
        yield (name, {"done_1": 0, "done_2": 0, "refs": 3},
               [lambda b=before: counted("done_1", b), counting_worker, lambda b=before: counted("done_2", b)])


def at(party, history, cache):
    """What a party with this history does next; None: it is through."""
    key = (party, history)
    if key not in cache:
        generator = party()
        try:
            action = next(generator)
            for value in history:
                action = generator.send(value)
        except StopIteration:
            action = None
        cache[key] = action
    return cache[key]


def put(items, index, value):
    return items[:index] + (value,) + items[index + 1:]


def successors(state, parties, depth, cache):
    memory, histories, buffers, woken = state
    for i, party in enumerate(parties):
        action, buffer, held = at(party, histories[i], cache), buffers[i], dict(memory)
        if buffer:
            held[buffer[0][0]] = buffer[0][1]
            yield tuple(held.items()), histories, put(buffers, i, buffer[1:]), woken
        if action is None:
            continue
        kind, held, next_buffers, next_woken, sent = action[0], dict(memory), buffers, woken, None
        if kind == "load":
            sent = dict(tuple(memory) + buffer)[action[1]]
        elif kind == "store" and not (depth and len(buffer) == depth):
            next_buffers = put(buffers, i, buffer + (action[1:],))
        elif kind == "locked" and not buffer:
            sent = held[action[1]]
            held[action[1]] = action[2](sent)
        elif kind == "wake" and not buffer:
            next_woken = woken | {action[1]}
        elif kind == SLEEPING and i in woken:
            next_woken = woken - {i}
        elif not (kind == "nothing" or kind == "full" and not buffer):
            continue
        yield tuple(held.items()), put(histories, i, histories[i] + (sent,)), next_buffers, next_woken


def is_hang(state, parties, cache):
    memory = dict(state[0])
    for party, history in zip(parties, state[1]):
        action = at(party, history, cache)
        if action and any(memory[work] != seen for work, seen in action[1].items()):
            return True
    return False


def shortest_hang(memory, parties, depth):
    none = tuple(() for _ in parties)
    level = {(tuple(memory.items()), none, none, frozenset())}
    known, cache, steps = set(level), {}, 0
    while level:
        found = set()
        for state in level:
            after = list(successors(state, parties, depth, cache))
            if not after and is_hang(state, parties, cache):
                return steps
            found.update(after)
        level = found - known
        known |= level
        steps += 1
    return "never"


def main():
    depth = int(sys.argv[1])
    for p in ("none", "read", "full"):
        for c, again in (("none", True), ("read", True), ("full", True), ("full", False)):
            for name, memory, parties in cases(p, c, again):
                print(name, p, c, "re-check" if again else "no-recheck", shortest_hang(memory, parties, depth))


main()
