#!/usr/bin/env bash
# Builds every target in Fuzz/Targets with libFuzzer and AddressSanitizer, and runs each for FUZZ_SECONDS with its seeds
# and the corpus of earlier runs: by default 20 seconds, of which a change has the part TEST_SCALE, a tenth.
#
#     Fuzz/run.sh [TARGET ...]
set -euo pipefail
[ -n "${CONTAINED:-}" ] || exec "$(dirname "$0")/../.ci/contained" "$0" "$@"
cd "$(dirname "$0")/.."
seconds="${FUZZ_SECONDS:-$(awk -v scale="${TEST_SCALE:-0.1}" 'BEGIN { seconds = int(20 * scale + 0.5); print seconds < 1 ? 1 : seconds }')}"
# A few seconds are worth no optimised build, which takes minutes.
if [ "$seconds" -lt 10 ]; then optimisation=-Onone; else optimisation=-O; fi
corpus=.build-fuzz/corpus
out=".build-fuzz/modules$optimisation"
mkdir -p "$out/modules"
# Swift's backtracer would keep a crashed target waiting.
export SWIFT_BACKTRACE=enable=no
# Swift stores flags in the spare bits of pointers, so that the leak detector reports live memory as leaked.
export ASAN_OPTIONS=detect_leaks=0

base=(-swift-version 6 "$optimisation" -gline-tables-only -sanitize=fuzzer,address -parse-as-library -package-name fuzz -I "$out/modules"
  -Xcc -fmodule-map-file="$PWD/Sources/Base/CTokenSecurityOpenSSL/module.modulemap")
strict=(-enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)

# The logging and metrics packages, and the modules in the order of their dependencies: a line of modules is built at
# once. After a module was rebuilt, the later lines are rebuilt, too.
objects=()
build() {
  local module="$1" folder="$2"
  shift 2
  echo "building $module"
  find "$folder" -name '*.swift' -print0 | xargs -0 swiftc "${base[@]}" "$@" -wmo -module-name "$module" -emit-module \
    -emit-module-path "$out/modules/$module.swiftmodule" -emit-object -o "$out/$module.o"
}
changed=no
line() {
  local entry module folder options running=() process
  for entry in "$@"; do
    module="${entry%%=*}" folder="${entry#*=}"
    case "$folder" in
      Sources/*) options=("${strict[@]}") ;;
      *) options=(-suppress-warnings) ;;
    esac
    objects+=("$out/$module.o")
    if [ "$changed" = yes ] || [ ! -e "$out/$module.o" ] || [ -n "$(find "$folder" -newer "$out/$module.o" -print -quit)" ]; then
      build "$module" "$folder" "${options[@]}" &
      running+=("$!")
    fi
  done
  if [ ${#running[@]} -gt 0 ]; then
    changed=yes
    for process in "${running[@]}"; do wait "$process" || exit 1; done
  fi
}
[ -d .build/checkouts/swift-log ] || swift package --traits OpenIDConnect resolve
modules="$(.ci/modules for Fuzz/Targets/*.swift)"
while read -r -a names; do line "${names[@]}"; done <<< "$modules"

targets=("$@")
if [ ${#targets[@]} = 0 ]; then
  for file in Fuzz/Targets/*.swift; do targets+=("$(basename "$file" .swift)"); done
fi
# One target per core at a time.
fuzz() {
  local target="$1"
  swiftc "${base[@]}" "${strict[@]}" -module-name "$target" -o "$out/$target" "Fuzz/Targets/$target.swift" "${objects[@]}" \
    -use-ld=lld -lcrypto || return 1
  mkdir -p "$corpus/$target"
  if ! "$out/$target" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$out/$target-" "$corpus/$target" "Fuzz/Seeds/$target" > "$out/$target.log" 2>&1; then
    tail -40 "$out/$target.log"
    echo "$target failed; the input is beside $out/$target"
    return 1
  fi
  echo "$target for $seconds s: $(grep -oE 'number_of_executed_units: *[0-9]+' "$out/$target.log" | grep -oE '[0-9]+') inputs, at most" \
    "$(grep -oE 'peak_rss_mb: *[0-9]+' "$out/$target.log" | grep -oE '[0-9]+') MB"
}
failed=0
running=0
for target in "${targets[@]}"; do
  if [ "$running" -ge "$(nproc)" ]; then
    wait -n || failed=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || failed=1
  running=$((running - 1))
done
exit "$failed"
