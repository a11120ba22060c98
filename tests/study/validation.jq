# SPDX-License-Identifier: GPL-3.0-or-later
# The rows of `vqsim validate --json` as the table of docs/validation.md.
def decimals($n): . as $x | ($x * pow(10; $n) | round) as $r | (if $r < 0 then "-" else "" end) as $sign
  | ($r | fabs | tostring) as $digits
  | if $n == 0 then $sign + $digits
    else (("0" * ([0, $n + 1 - ($digits | length)] | max)) // "") + $digits
      | $sign + .[:length - $n] + "." + .[length - $n:] end;
def figure($unit): if . == null then "n/a" else decimals({"pps": 0, "ns": 1}[$unit] // 2) end;
.rows[] | .unit as $unit |
"| \(if .ok == null then "-" elif .ok then "ok" else "FAIL" end) | \(.cell) | \(.published | figure($unit)) | \(.simulated | figure($unit)) ± \(.half_width | figure($unit)) | \($unit) | \(if .low == null then "report only" else "\(.low | figure($unit))..\(.high | figure($unit))" end) | \(.role)\(if .informed then ", informed" else "" end) |"
