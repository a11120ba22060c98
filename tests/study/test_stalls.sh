#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each scenario of a stall hangs with its fault and runs without, as its `expect` says; and the run that hangs names the party.
set -uo pipefail
failed=0

# Scenario, variant that hangs, what is said of it. A scenario that is not named here hangs in no variant.
said() {
  grep -E "^$1 " <<'END' | cut -d ' ' -f 2-
call-early before the guest does not see 8 returned packets: their interrupt was suppressed or lost
call-equal equal the guest's transmit queue is stopped with 18 free descriptors of the 19 it needs: no interrupt will wake it
gated-limit gated the vhost worker sleeps with 128 completed zerocopy packets not returned: no completion queued it
gated-no-rescan none the vhost worker sleeps with 1 completed zerocopy packets not returned: no completion queued it
no-calls silence the guest's transmit queue is stopped with 18 free descriptors of the 19 it needs: no interrupt will wake it
no-recheck none notifications on: the last kick was suppressed or lost
refcount-3.13 before_put no completion queued it, the last two read their count before either put
release never closing vhost waits for 1 zerocopy packets that do not complete
release never_equal the oldest of 238 zerocopy packets never completes: somebody keeps its pages
rx-no-recheck none at a socket that it does not watch and 5 receive buffers posted: the guest's kick was suppressed or lost
socket zerocopy_gated the vhost worker sleeps with 64 completed zerocopy packets not returned: no completion queued it
socket none the socket was full and nobody queued the worker again
timeline base the vhost worker sleeps with 128 completed zerocopy packets not returned: no completion queued it
timeline base the vhost worker sleeps with 238 packets available: the socket was full and nobody queued the worker again
wrap no_wrap the vhost worker sleeps with 8 packets available and notifications on: the last kick was suppressed or lost
wrap no_wrap_packed the vhost worker sleeps with 8 packets available and notifications on: the last kick was suppressed or lost
xmit-more relies the guest's transmit queue is stopped with 18 free descriptors of the 19 it needs: no interrupt will wake it
END
}

for file in "$SOURCE_DIR"/scenarios/stalls/*.json; do
  name=$(basename "$file" .json)
  printed=$("$VQSIM" run "$file" --expect 2>&1) || {
    echo "$name: $(grep -E '^FAIL|error' <<<"$printed")"
    failed=1
  }
  hung=$(grep ' hung in ' <<<"$printed")
  while read -r variant why; do
    if [ -n "$variant" ] && ! grep -qE "^$variant hung in .*" <<<"$(grep -F -- "$why" <<<"$hung")"; then
      echo "$name, $variant: does not say '$why' but '$hung'"
      failed=1
    fi
  done < <(said "$name")
  expected=$(said "$name" | grep -c .)
  [ "$(grep -c . <<<"$hung")" -eq "$expected" ] || {
    echo "$name: $expected variants should hang: $hung"
    failed=1
  }
done
exit $failed
