#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# docs/scenarios.md: every example is accepted in silence, every refused one is refused with its message, the command lines work.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 - "$SOURCE_DIR/docs/scenarios.md" "$VQSIM" <<'PY'
import re, subprocess, sys

page, vqsim = open(sys.argv[1]).read(), sys.argv[2]
failed = []


def check(*words):
    done = subprocess.run([vqsim, "check", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


# A block is named by a `NAME.json`: at the end of the text before it.
examples = re.findall(r"(?:`(\w+\.json)`:\n\n)?```json\n(.*?)```", page, re.S)
for number, (name, text) in enumerate(examples):
    open(name or "example%d.json" % number, "w").write(text)
for number, (name, text) in enumerate(examples):
    code, said = check(name or "example%d.json" % number)
    if code or said:
        failed.append("%s\n%s" % (text, said))
named = [name for name, _ in examples if name]
assert len(examples) >= 14 and sorted(named) == ["bed.json", "study.json"], (len(examples), named)

rows = re.findall(r"^\| `(.*?)` \| (.*) \|$", page.split("## Refused")[1], re.M)
assert len(rows) >= 15, len(rows)
for members, message in rows:
    if "workload" in members:
        text = '{"version": 1, "workload.type": "saturating", %s}' % members
    else:
        text = '{"version": 1, "workload": {"type": "saturating"}, %s}' % members
    open("refused.json", "w").write(text)
    code, said = check("refused.json")
    if code != 3 or message not in said:
        failed.append("%s: %d\n%s" % (text, code, said))

commands = "".join(re.findall(r"```sh\n(.*?)```", page, re.S)).strip().split("\n")
assert len(commands) >= 3
for command in commands:
    done = subprocess.run(command.replace("vqsim", vqsim, 1), shell=True, capture_output=True, text=True)
    if done.returncode or done.stderr:
        failed.append("%s: %d\n%s" % (command, done.returncode, done.stderr))

# Every top-level key of the schema is in the table of keys.
import json
schema = json.loads(subprocess.run([vqsim, "params", "--schema"], capture_output=True, text=True).stdout)
table = page.split("Contents:")[0]
for key in schema["properties"]:
    if not key.startswith(("_", "$")) and "`%s`" % key not in table:
        failed.append("key %s is not in the table" % key)
print("\n".join(failed))
sys.exit(1 if failed else 0)
PY
