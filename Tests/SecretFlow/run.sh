#!/usr/bin/env bash
# Builds what handles secrets as it is built for use, but with marks for valgrind where secrets become known, and runs it
# under memcheck with all secrets undefined. Fails where a branch or a place in memory depends on one.
#
#     run.sh             the protocols
#     run.sh services    also the modules over them: user pools, their client, data sets
set -euo pipefail
cd "$(dirname "$0")/../.."
out=.build-secrets
mkdir -p "$out/modules"
export SWIFT_BACKTRACE=enable=no
strict=(-enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility)
base=(-swift-version 6 -O -g -parse-as-library -package-name secrets -I "$out/modules" -suppress-warnings
  -Xcc -fmodule-map-file="$PWD/Sources/Base/CTokenSecurityOpenSSL/module.modulemap"
  -Xcc -fmodule-map-file="$PWD/Tests/SecretFlow/CMemcheck/module.modulemap")
objects=()
program=(Tests/SecretFlow/Main.swift)
if [ "${1:-}" = services ]; then
  [ -d .build/checkouts/swift-log ] || swift package --traits OpenIDConnect resolve
  program+=(Tests/SecretFlow/Services.swift Tests/SecretFlow/ServiceClients.swift)
fi
needed="$(.ci/modules for "${program[@]}")"
read -r -d '' -a modules <<< "$needed" || true
[ "${1:-}" != services ] || program+=(-D SERVICES)
for entry in "${modules[@]}"; do
  module="${entry%%=*}" folder="${entry#*=}"
  case "$folder" in
    Sources/*) options=("${strict[@]}") ;;
    *) options=() ;;
  esac
  find "$folder" -name '*.swift' -print0 | xargs -0 swiftc "${base[@]}" "${options[@]}" -wmo -module-name "$module" -emit-module \
    -emit-module-path "$out/modules/$module.swiftmodule" -emit-object -o "$out/$module.o"
  objects+=("$out/$module.o")
done
swiftc "${base[@]}" "${strict[@]}" -module-name SecretFlow -o "$out/secret-flow" "${program[@]}" "${objects[@]}" -use-ld=lld -lcrypto
status=0
valgrind --quiet --error-exitcode=9 --suppressions=Tests/SecretFlow/libcrypto.supp --suppressions=Tests/SecretFlow/swift.supp \
  --leak-check=no "$out/secret-flow" \
  2> "$out/memcheck.log" > "$out/verdicts.log" || status=$?
cat "$out/verdicts.log"
# The branch that was put in on purpose is the one report that there must be: with it valgrind ends with 9, whatever the
# program says; the program says whether there were others.
if [ "$status" != 9 ] || grep -q "reports$" "$out/verdicts.log"; then
  head -200 "$out/memcheck.log"
  exit 1
fi
