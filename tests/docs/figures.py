# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of docs/answers.md and docs/findings.md against a rerun of the commands beside them.

    python3 figures.py VQSIM SOURCE_DIR FOLDER

A figure is found in its page by heading, row and column, never written down here. It agrees when the rerun's mean lies
within the interval that the page states; of a range, when it lies inside; without either, within `slack`. The digit
that was rounded away is allowed for. Exit 0: all agree; last line: how many figures.
"""
import json
import re
import subprocess
import sys

VQSIM, SOURCE, FOLDER = sys.argv[1:4]
NUMBER = re.compile(r"(?<![\w.])([-+]?\d[\d,]*(?:\.\d+)?)(?:\s*(?:±|\+-)\s*(\d+(?:\.\d+)?))?(?![\w,]*\d)")
RANGE = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?)\.\.([-+]?\d[\d,]*(?:\.\d+)?)")
checked = failed = 0


def number(text):
    return float(text.replace(",", ""))


def last_digit(text, least=1):
    """Half of the last digit; "89" beside "51.9" is 89.0, so that a whole number has a decimal too."""
    return 0.5 * 10.0 ** -max(least, len(text.partition(".")[2]))


class Page:
    def __init__(self, name):
        self.name = name
        with open(f"{SOURCE}/docs/{name}", encoding="utf-8") as page:
            self.text = page.read()

    def section(self, heading):
        """What stands under the heading that begins like this."""
        found = re.search(rf"^#+ {re.escape(heading)}.*?$(.*?)(?=^#|\Z)", self.text, re.M | re.S)
        if not found:
            sys.exit(f"{self.name}: no heading '{heading}'")
        return found.group(1)

    def cell(self, heading, row, column):
        """Of the first table there with such a row and such a column; "a | b" is a row's first two cells."""
        header = []
        for line in self.section(heading).splitlines():
            cells = [c.strip() for c in line.strip("|").split("|")] if line.startswith("|") else []
            header = (header or cells) if cells else []
            if column in header and " | ".join(cells).startswith(row + " | "):
                return cells[header.index(column)].replace("*", "")
        sys.exit(f"{self.name}, {heading}: no cell '{row}' / '{column}'")

    def after(self, heading, words):
        """The text there that follows these words."""
        text = " ".join(self.section(heading).split())
        if words not in text:
            sys.exit(f"{self.name}, {heading}: no '{words}'")
        return text.split(words, 1)[1]


def held(where, text, value, nth=0, slack=0.0):
    """The nth figure of a page's text against what was computed."""
    global checked, failed
    found = RANGE.findall(text)
    if found:
        low, high = (number(x) for x in found[nth])
        room = last_digit(found[nth][0], 0)
        middle, half = (low + high) / 2, (high - low) / 2
    else:
        mean, half = NUMBER.findall(text)[nth]
        room = last_digit(mean) + (last_digit(half) if half else slack)
        middle, half = number(mean), float(half or 0)
    checked += 1
    if not abs(value - middle) <= half + room + 1e-9:
        failed += 1
        print(f"{where}: the page says '{text.strip()[:60]}', the rerun {value:.4g}", file=sys.stderr)


class Runs:
    """The points of a sweep, or the variants of a run; `probes` also runs again what its answers rest on."""

    def __init__(self, command, scenario, *options, probes=False):
        words = [VQSIM, command, f"{SOURCE}/scenarios/{scenario}.json", "--json", "-j", "2", *options]
        if command == "sweep":
            words += ["--progress=none", "--store", f"{FOLDER}/figures.db", *([] if probes else ["--no-probes"])]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
        answer = json.loads(done.stdout)
        self.points = answer.get("points") or [{"params": {}, "variants": answer["variants"]}]
        self.answers = {a["case"].split(",")[0]: a["saving"] for a in answer.get("answers", [])}

    def metric(self, name, variant=None, **where):
        """Of the one point at which parameters whose names end so have these values."""
        found = []
        for point in self.points:
            params = {path.split(".")[-1]: str(value) for path, value in point["params"].items()}
            if all(params.get(key) == str(value) for key, value in where.items()):
                found += [v for v in point["variants"] if variant in (None, v["name"])]
        if len(found) != 1:
            sys.exit(f"{len(found)} points with {where}, {variant}")
        return found[0]["metrics"][name]["mean"]

    def ns(self, variant=None, **where):
        return self.metric("guest_ns_per_packet", variant, **where)

    def saved(self, variant, base="none", **where):
        return self.ns(base, **where) - self.ns(variant, **where)


THR = "virtio_desc_cache_thr"
FIVE = ["--set", "replications=5"]
SENDERS = ["xsk", "tcp_write", "redis", "sendfile", "mixed", "udp_small"]
answers, findings = Page("answers.md"), Page("findings.md")


def saving(where, ns, percent, least, most, told):
    """What a page says of a saving and of its range over the costs, against the probes of a sweep."""
    half = told["half_width"] / told["ns_per_packet"] * told["percent"]
    held(where, ns, told["ns_per_packet"])
    held(f"{where}, percent", percent, told["percent"], slack=0.1 * half)
    held(f"{where}, least over the costs", least, told["least_ns"], slack=0.5 if "." not in least else 0.06)
    held(f"{where}, most over the costs", most, told["most_ns"], slack=0.5 if "." not in most else 0.06)


def in_short():
    """The headlines: saving, range, and the costs at its ends."""
    runs = Runs("sweep", "desc-cache/thr", "--vary", f"{THR}=0,2,3,4,18", probes=True)
    for sender in SENDERS[:-1]:
        def cell(column, sender=sender):
            return answers.cell("In short", sender, column)

        told = runs.answers[sender]
        least, most = cell("range over the costs, ns").split("..")
        saving(f"answers, in short, {sender}", cell("saved, ns per packet"), cell("of the packet"), least, most, told)
        for column, key in [("value", "value"), ("least at", "least_at"), ("most at", "most_at")]:
            if cell(column).strip("`") != str(told[key]):
                sys.exit(f"answers.md, in short, {sender}: {column} is {told[key]} now")
    what_moves()


def what_moves():
    """The table of ends, from the probes that the headlines left in the store."""
    with open(f"{SOURCE}/docs/probes.sql", encoding="utf-8") as query:
        done = subprocess.run(["sqlite3", "-readonly", f"{FOLDER}/figures.db"], stdin=query, capture_output=True,
                              text=True)
    ends = {}
    for line in done.stdout.splitlines()[2:]:
        cells = [c.strip() for c in line.strip("|").split("|")]
        ends[cells[0], cells[2]] = [float(c) for c in cells[3:]]
    rows = [row for row in answers.section("What moves the answer").split("Kernel 7.0, newest")[0].splitlines()
            if re.match(r"\| (xsk|tcp_write|redis|sendfile|mixed) ", row)]
    if done.returncode != 0 or len(rows) < 30:
        sys.exit(f"docs/probes.sql: {done.stderr or len(rows)}")
    for row in rows:
        cells = [c.strip() for c in row.strip("|").split("|")]
        for nth, text in enumerate(cells[3:]):
            held(f"answers, {cells[0]} with {cells[2]}", text, ends[cells[0], cells[2]][nth], slack=0.5 if nth == 0 else 0)


def one_machine(kernel, profile, backend, placement, values, probes=False):
    """Every sender on one machine against the tables of all machines."""
    runs = Runs("sweep", "desc-cache/answers", "--vary", f"kernel={kernel}", "--vary", f"guest.slab.profile={profile}",
                "--vary", f"host.backend.type={backend}", "--vary", f"host.placement={placement}",
                "--vary", f"{THR}={','.join(map(str, [0] + values))}", probes=probes)
    for sender in SENDERS:
        base = runs.ns(case=sender, **{THR: 0})
        held(f"answers, budget of {sender}", answers.cell("Which value", sender, "budget, ns"), base)
        for thr in values:
            saved = base - runs.ns(case=sender, **{THR: thr})
            which = answers.text.split("Saved against 0 in percent of the packet", 1)[1]
            row = next(line for line in which.splitlines() if line.startswith(f"| {sender} "))
            header = next(line for line in which.splitlines() if line.startswith("| sender "))
            cell = row.split("|")[[c.strip() for c in header.split("|")].index(str(thr))]
            held(f"answers, {sender} at {thr}", cell, 100 * saved / base)
        for thr in [0] + values:
            held(f"answers, memory of {sender} at {thr}", answers.cell("Memory", sender, str(thr)),
                 runs.metric("desc_cache_bytes", case=sender, **{THR: thr}))
        if sender == "udp_small" or not probes:
            continue
        thr, figures = answers.cell(sender, f"{kernel} | {profile}", f"{backend}, {placement}").split(": ")
        if thr != str(runs.answers[sender]["value"]):
            sys.exit(f"answers.md, {sender}: {runs.answers[sender]['value']} is recommended now")
        figures, ends = figures.rstrip(")").split(" (")
        saving(f"answers, every machine, {sender}", *figures.split(", "), *ends.split(".."), runs.answers[sender])


def counts_of_machines():
    """How often a value is recommended is what the tables of all machines say."""
    for sender in SENDERS[:-1]:
        rows = [line for line in answers.section(sender).splitlines() if re.match(r"\| \d", line)]
        values = [int(cell.split(":")[0]) for row in rows for cell in row.split("|")[3:-1]]
        if len(values) != 48:
            sys.exit(f"answers.md, {sender}: {len(values)} machines")
        for thr in [2, 3, 4, 5, 6, 17, 18, 19]:
            held(f"answers, machines with {thr} for {sender}", answers.cell("Which value", sender, str(thr)),
                 values.count(thr))


def odd_and_even():
    runs = Runs("sweep", "desc-cache/odd-even", "--vary", f"{THR}=0,4,5,19")
    for variant, row in [("packed items", "packed items"), ("whole lines", "whole lines (`round_to_line`)")]:
        best = runs.ns(variant, **{THR: 4})
        for thr in [0, 5, 19]:
            lost = 100 * (runs.ns(variant, **{THR: thr}) - best) / best
            held(f"answers, odd values, {variant} at {thr}", answers.cell("Odd values", row, str(thr)), lost, slack=0.1)


def rivals():
    runs = Runs("sweep", "desc-cache/rivals", "--vary", "guest.header=inline,own")
    listed = re.findall(r"^\| (\w[^|]*) \|", answers.section("Rivals"), re.M)
    names = [v["name"] for v in runs.points[0]["variants"] if v["name"] in listed]
    for sender, header in [(s, h) for s in SENDERS for h in ("inline", "own")]:
        if (sender, header) in [("xsk", "own"), ("udp_small", "inline")]:
            continue
        ns = {name: runs.ns(name, case=sender, header=header) for name in names}
        best = min(ns.values())
        for name in names:
            text = answers.cell("Rivals", name, sender + (", own header" if header == "own" else ""))
            if text == "= none":
                text = answers.cell("Rivals", "none", sender)
            held(f"answers, rivals, {name} of {sender}", text, 100 * (ns[name] - best) / best, slack=0.01)


def headline(question):
    return findings.cell("Findings", str(question), "figure, ns saved per packet")


def finding_1():
    runs = Runs("sweep", "desc-cache/thr", "--vary", f"{THR}=0,4,18", *FIVE)
    saved = {(s, thr): runs.ns(case=s, **{THR: 0}) - runs.ns(case=s, **{THR: thr}) for s in SENDERS for thr in (4, 18)}
    for nth, key in enumerate([("xsk", 4), ("tcp_write", 4), ("sendfile", 4)]):
        held("findings 1, in short", headline(1).replace("with 4", ""), saved[key], nth)
    for sender in SENDERS:
        row = next(r for r in findings.section("1. ").splitlines() if r.startswith(f"| {sender} ")).split("|")
        held(f"findings 1, {sender} at 4", row[4], saved[sender, 4])
        held(f"findings 1, {sender} at 18", row[7], saved[sender, 18])


def finding_2():
    runs = Runs("sweep", "findings/items", "--vary", "guest.desc_cache.items=0,72")
    for variant in ["list", "array"]:
        held(f"findings 2, {variant}", findings.cell("2. ", variant, "72"), runs.saved(variant, items=72), slack=0.3)


def finding_3():
    runs = Runs("sweep", "desc-cache/allocators", "--vary", "guest.slab.profile=none", "--set", "replications=10")
    for variant in ["cache", "kmem_cache", "bulk 16", "bulk 32"]:
        held(f"findings 3, {variant}", findings.cell("3. ", "none (the bed)", variant), runs.saved(variant))
    held("findings 3, in short", headline(3), runs.saved("kmem_cache"))
    held("findings 3, in short", headline(3), runs.saved("bulk 16"), 1)


def finding_4():
    runs = Runs("sweep", "findings/fill")
    held("findings 4", findings.after("4. ", "Steady state: a tie (array"), runs.saved("array", case="steady"))
    held("findings 4", findings.after("4. ", "Steady state: a tie (array"), runs.saved("list", case="steady"), 1)
    held("findings 4", findings.after("4. ", "each a new item) array"), runs.saved("array", case="first 30 us"))
    held("findings 4", findings.after("4. ", "each a new item) array"), runs.saved("list", case="first 30 us"), 1)


def finding_5():
    runs = Runs("sweep", "desc-cache/numa", "--vary", "costs.memory.remote=50ns,55ns", "--set", "replications=10")
    held("findings 5", headline(5), runs.saved("remote array", remote="50ns"))
    held("findings 5", headline(5).split("at 50 ns", 1)[1], runs.saved("remote array", remote="55ns"))


def finding_6():
    runs = Runs("sweep", "findings/links")
    first = runs.ns("v1, thr 4")
    held("findings 6, v2", findings.after("6. ", "give the same bits ("), runs.ns("v2, thr 4") - first)
    held("findings 6, v3", findings.after("6. ", "v3 differs by"), abs(runs.ns("v3, thr 4") - first))


def finding_7():
    runs = Runs("sweep", "findings/bytes")
    for variant, column in [("thr 2", "thr 2"), ("thr 3", "thr 3, 4"), ("thr 4", "thr 3, 4"), ("thr 8", "thr 8"),
                            ("thr 19", "thr 19")]:
        held(f"findings 7, {variant}", findings.cell("7. ", "4 KiB", column), runs.saved(variant), slack=0.6)


def finding_8():
    runs = Runs("run", "findings/contiguous", "--set", "guest.tx_ring.size=1024")
    for nth, variant in enumerate(["thr 4", "thr 19"]):
        held("findings 8", findings.after("8. ", "(N = 256),"), runs.metric("desc_cache_bytes", variant), nth)


def finding_9():
    runs = Runs("sweep", "findings/direct", "--set", "replications=5")
    for sender in ["xsk", "tcp_write", "redis", "sendfile"]:
        for variant in ["direct 10", "cache 4"]:
            held(f"findings 9, {variant} of {sender}", findings.cell("9. ", sender, variant),
                 runs.saved(variant, case=sender))
    held("findings 9, in short", headline(9), runs.saved("direct 10", case="xsk"))


def finding_10():
    runs = Runs("sweep", "findings/header")
    text = findings.after("10. ", "one entry away:")
    for nth, variant in enumerate(["inline", "own, cache"]):
        held("findings 10", text, runs.saved(variant, "own, none", case="driver alone"), nth)
        held("findings 10", text.split("491 ns,", 1)[1], runs.saved(variant, "own, none", case="small sendto"), nth)
        held("findings 10, in short", headline(10), runs.saved(variant, "own, none", case="driver alone"), nth)


def finding_11():
    runs = Runs("sweep", "findings/contiguous", "--vary", "guest.tx_ring.size=16384")
    held("findings 11", findings.after("11. ", "leaves a warning), and"), runs.ns("thr 18"))
    held("findings 11", findings.after("11. ", "without cache (thr 4:"), runs.ns("thr 4"))
    held("findings 11, in short", headline(11).split("lost", 1)[-1], runs.saved("thr 18", "thr 4"))


def finding_12():
    runs = Runs("sweep", "findings/entries", "--vary", "workload.frags=3")
    saved = runs.saved("array 19")
    held("findings 12, in short", headline(12), saved)
    row = next(r for r in findings.section("12. ").splitlines() if "| 4 entries, driver alone |" in r)
    held("findings 12", row.split("|")[3], saved)


def main():
    in_short()
    counts_of_machines()
    one_machine("6.1", "none", "polling", "same_llc", [2, 3, 4, 18], probes=True)
    one_machine("7.0", "none", "kicked", "cross_llc", [2, 4, 18])
    odd_and_even()
    rivals()
    for finding in [finding_1, finding_2, finding_3, finding_4, finding_5, finding_6, finding_7, finding_8, finding_9,
                    finding_10, finding_11, finding_12]:
        finding()
    if failed:
        sys.exit(f"{failed} of {checked} figures of the pages differ")
    print(f"{checked} figures agree")


main()
