# SPDX-License-Identifier: GPL-3.0-or-later
# The block of docs/validation.md for one table, from `vqsim validate --json`: its rows, and what stands at its foot.
#   jq -r --arg table desc-cache -f tests/study/validation.jq
def decimals($n): . as $x | ($x * pow(10; $n) | round) as $r | (if $r < 0 then "-" else "" end) as $sign
  | ($r | fabs | tostring) as $digits
  | if $n == 0 then $sign + $digits
    else (("0" * ([0, $n + 1 - ($digits | length)] | max)) // "") + $digits
      | $sign + .[:length - $n] + "." + .[length - $n:] end;
def figure($unit): if . == null then "n/a" else decimals({"pps": 0, "1/s": 0, "ns": 1, "ratio": 3}[$unit] // 2) end;
def error($unit): "mean error \(.mean | decimals(2)) \($unit) over \(.cells)"
  + if .null_cells > 0 then "; with a null \(.null_cells): \(.mean_beside_null | decimals(2)), the null \(.null_mean | decimals(2))" else "" end;
[.rows[] | select(.table == $table)] as $rows | ([$rows[] | .null != null] | any) as $null
| ("| | cell | published | simulated | unit | accepted | role |" + if $null then " null | skill |" else "" end),
  ("|---|---|---|---|---|---|---|" + if $null then "---|---|" else "" end),
  ($rows[] | .unit as $unit
  | "| \(if .ok == null then "-" elif .ok then "ok" else "FAIL" end) | \(.cell) | \(.published | figure($unit)) | \(.simulated | figure($unit)) ± \(.half_width | figure($unit)) | \($unit) | \(if .low == null then "report only" else "\(.low | figure($unit))..\(.high | figure($unit))" end) | \(.role)\(if .informed then ", informed" else "" end) |"
    + if $null then " \(.null | figure($unit)) | \(.skill | figure("")) |" else "" end),
  (.tables[] | select(.table == $table)
  | "",
    "\(.free_parameters) free parameters; \(.calibrated) cells calibrated, \(.held_out) held-out (\(.informed) informed), \(.directional) directional.",
    (.held_out_error_percent | select(.cells > 0) | "Held-out cells: \(error("%"))."),
    (.held_out_error_points | select(.cells > 0) | "Held-out cells: \(error("points"))."))
