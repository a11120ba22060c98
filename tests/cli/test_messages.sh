#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the commands say in words: wrong options, what was left out, overload, differences that are none, a closed pipe.
. "$SOURCE_DIR/tests/cli/library.sh"

# An unknown option: one message that names it, in every command.
for command in run sweep plan report check show params profile list export rerun; do
  expect_code 2 "$VQSIM" $command f --no-such
  expect_err "vqsim: error: unknown option '--no-such'"
  [ "$(wc -l <err)" -eq 2 ] || fail "$command: $(cat err)"
  expect_code 2 "$VQSIM" $command f -z
  expect_err "unknown option '-z'"
done
expect_code 2 "$VQSIM" show f --json
expect_err "unknown option '--json'"
expect_code 2 "$VQSIM" check f --set
expect_err "--set needs a value"
expect_code 2 "$VQSIM" params --json=1
expect_err "--json=1 takes no value"
for command in sweep plan check show; do
  expect_code 0 "$VQSIM" help $command
  expect_out "--max-points N"
done
expect_code 2 "$VQSIM" show f --max-points 3x
expect_err "--max-points 3x: a whole number"
expect_code 2 "$VQSIM" show f g
expect_err "one argument too many: 'g'"

# Axes that run leaves out, and expectations about them.
cat >axes.json <<'END'
{ "version": 1, "name": "axes", "duration": "1ms", "warmup": "0s", "replications": 2,
  "workload": { "type": "saturating", "size": 64 }, "guest": { "path": "xsk" },
  "sweep": { "guest.virtio_desc_cache_thr": [0, 2] },
  "expect": ["virtio_desc_cache_thr=0: desc_cache_hit_percent == 0", "hung == 0"] }
END
expect_code 0 "$VQSIM" run axes.json --expect
expect_out "axes are left out: guest.virtio_desc_cache_thr is 4; vqsim sweep crosses them"
expect_code 0 "$VQSIM" profile axes.json
expect_out "axes are left out: guest.virtio_desc_cache_thr is 4; vqsim sweep crosses them"
expect_code 0 "$VQSIM" run axes.json --expect
expect_out "nothing that was run matches; vqsim sweep --expect checks it"
expect_code 0 "$VQSIM" run axes.json --set virtio_desc_cache_thr=3
expect_out "guest.virtio_desc_cache_thr is 3"
expect_code 0 "$VQSIM" sweep axes.json --expect --store axes.db
expect_out "pass  virtio_desc_cache_thr=0: desc_cache_hit_percent == 0"
grep -q "left out" out && fail "sweep leaves axes out"

# An axis by hand: a list may hold ranges, and what is meant for one is told how it is written.
expect_code 0 "$VQSIM" plan axes.json --vary virtio_desc_cache_thr=0,2..5,17
expect_out "6"
expect_code 3 "$VQSIM" plan axes.json --vary virtio_desc_cache_thr=0-4
expect_err 'guest.virtio_desc_cache_thr: "0-4" is no value; a range is "0..4"'
expect_code 3 "$VQSIM" run axes.json --set host.backend=polling
expect_err "host.backend: unknown parameter; did you mean host.backend.type?"

# A scenario is no table of published figures.
expect_code 3 "$VQSIM" calibrate axes.json
expect_err "axes.json:1:1: error: table: missing: this is a scenario; a table of published figures has a name (table) and cells"

# show says what it shows, beside its output.
expect_code 0 "$VQSIM" show "$here/tiny.json" --variant cache --point 6
expect_err "note: point 6 of 0..9 (--point N): case=large, guest.tx_ring.size=128"
expect_err "note: variant cache, one of 2 (--variant NAME)"
jq -e . out >/dev/null || fail "show is not JSON"

# A --set that does nothing, an axis that does nothing.
expect_code 0 "$VQSIM" run "$here/tiny.json" --set virtio_desc_cache_thr=2
expect_err "warning: guest.virtio_desc_cache_thr: --set has no effect: every variant sets it"
expect_code 3 "$VQSIM" run "$here/tiny.json" --set virtio_desc_cache_thr=2 --strict
expect_code 3 "$VQSIM" sweep "$here/tiny.json" --vary virtio_desc_cache_thr=0,2,4 --store none.db
expect_err "error: guest.virtio_desc_cache_thr: every variant sets it, so the axis changes nothing"
expect_no_output

# Overload.
cat >load.json <<'END'
{ "version": 1, "duration": "10ms", "workload": { "type": "poisson", "rate": "1Mpps", "size": 64, "frags": 1 } }
END
expect_code 0 "$VQSIM" run load.json
expect_out "packets/s: the sender is faster than the path"
expect_code 0 "$VQSIM" run load.json --json
grep -q "faster" out && fail "a note in JSON"
slow='costs.host.packet={"value": "5us", "low": "1us", "high": "9us"}'
expect_code 0 "$VQSIM" run load.json --set workload.rate=300kpps --set "$slow"
expect_out "host_work_percent near 100: the backend is the bottleneck"
expect_code 0 "$VQSIM" run load.json --set workload.rate=50kpps
grep -q "^note: " out && fail "a note about nothing: $(grep '^note: ' out)"

# A difference whose interval contains 0 is said to be none yet; one that is exactly 0 is not.
cat >same.json <<'END'
{ "version": 1, "duration": "1ms", "replications": 3, "workload": { "type": "saturating", "size": 64, "frags": 1 },
  "variants": { "a": { "seed": 1 }, "b": { "seed": 2 }, "c": { "seed": 1 } } }
END
expect_code 0 "$VQSIM" run same.json
expect_out "note: b: intervals of guest_ns_per_packet less that of a contain 0: more replications (--set replications=12)"
sed 's/"variants".*/"sweep": { "seed": [1, 2] } }/' same.json >seeds.json
expect_code 0 "$VQSIM" sweep seeds.json --store seeds.db
expect_out "intervals contain 0: more replications (--set replications=12) or longer runs"
expect_code 0 "$VQSIM" sweep axes.json --vary virtio_desc_cache_thr=0,2 --store axes.db
grep -q "contain 0" out && fail "a clear gain is doubted"

# A reader that went away is a failed write; it has seen what it wanted, so nothing is said.
closed='import os, subprocess, sys
r, w = os.pipe()
os.close(r)
sys.exit(subprocess.run(sys.argv[1:], stdout=w).returncode)'
for command in "export axes.db" "export axes.db --json" "run axes.json" "params" "list axes.db --runs" "help"; do
  expect_code 4 python3 -c "$closed" "$VQSIM" $command
  grep -q error err && fail "$command complains of a closed pipe: $(head -c 200 err)"
done
finish
