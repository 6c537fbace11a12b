#!/usr/bin/env bash
# Tests libtokensecurity: its header and symbols, programs in C under AddressSanitizer and valgrind, in C++ and Go, and
# linked statically.
#
#     run.sh FOLDER [debug]    the folder of the libraries, and whether they are those of a debug build, without valgrind
set -euo pipefail
cd "$(dirname "$0")/../.."
library="$(cd "$1" && pwd)"
tests=Tests/CInterface
out=.build-c-tests
rm -rf "$out"
mkdir -p "$out"
flags=(-Wall -Wextra -Werror -pedantic -g -I Sources/Programs/TokenSecurityC/include -I "$tests")
shared=(-L "$library" -ltokensecurity -Wl,-rpath,"$library")

# A server of the example's keys.
python3 -u -c 'import functools, http.server
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(http.server.SimpleHTTPRequestHandler, directory="docs/example"))
print(server.server_port)
server.serve_forever()' > "$out/port" 2> "$out/requests" &
server=$!
trap 'kill $server' EXIT
while [ ! -s "$out/port" ]; do sleep 0.1; done
example=(docs/example/access-token.txt docs/example/jwks.json)
step() { printf -- '-- %s\n' "$1"; }

step "the header is that of the sources"
"$tests/header.py" --check

step "no recorded function has changed or is gone"
"$tests/header.py" --symbols > "$out/symbols.txt"
if ! comm -23 <(sort "$tests/symbols.txt") <(sort "$out/symbols.txt") | { ! grep .; }; then
  echo "these functions have changed or are gone; callers that were built before would break"
  exit 1
fi
comm -13 <(sort "$tests/symbols.txt") <(sort "$out/symbols.txt") > "$out/new.txt"
if [ -s "$out/new.txt" ]; then
  cat "$out/new.txt"
  echo "these functions are new: record them in $tests/symbols.txt, and raise Versions.interface"
  exit 1
fi

step "the library exports the functions of the header, with their version, and nothing else"
nm -D --defined-only --with-symbol-versions "$library/libtokensecurity.so.2" | awk '{ print $3 }' | grep -v '^TOKENSECURITY_2$' | sort > "$out/exported.txt"
grep -o 'ts_[a-z0-9_]*(' "$out/symbols.txt" | tr -d '(' | sed 's/$/@@TOKENSECURITY_2/' | sort | diff - "$out/exported.txt"
nm --defined-only --extern-only "$library/libtokensecurity.a" | awk 'NF == 3 { print $3 }' | sort > "$out/static.txt"
sed 's/@@.*//' "$out/exported.txt" | diff - "$out/static.txt"

step "it needs no Swift"
ldd "$library/libtokensecurity.so.2" | tee "$out/needed.txt"
# Not `! grep`, whose failure the shell ignores.
readelf -d "$library/libtokensecurity.so.2" > "$out/dynamic.txt"
if grep -iE "swift|foundation|not found" "$out/needed.txt" || grep -E "RPATH|RUNPATH" "$out/dynamic.txt"; then
  echo "it needs Swift, or searches libraries in folders of its own"
  exit 1
fi
grep -q NODELETE "$out/dynamic.txt"
# Keys are fetched by the caller.
if grep -aqE "NIOPosix|BoringSSL" "$library/libtokensecurity.so.2"; then
  echo "it has an HTTP client, or a TLS of its own"
  exit 1
fi
readelf -d "$library/libtokensecurity.so.2" | grep -q "SONAME.*libtokensecurity.so.2"

step "AddressSanitizer and UndefinedBehaviorSanitizer"
for test in tokens fetches sessions protocols; do
  gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${flags[@]}" -fsanitize=address,undefined -fno-sanitize-recover=all "$tests/$test.c" -o "$out/$test-asan" "${shared[@]}" -lpthread
done
ASAN_OPTIONS=detect_leaks=1 "$out/tokens-asan" "${example[@]}"
ASAN_OPTIONS=detect_leaks=1 "$out/fetches-asan" "${example[@]}"
ASAN_OPTIONS=detect_leaks=1 "$out/sessions-asan"
ASAN_OPTIONS=detect_leaks=1 "$out/protocols-asan"

step "each function that takes a handle, with a handle of each other kind"
"$tests/kinds.py" > "$out/kinds.c"
gcc -std=c99 "${flags[@]}" -fsanitize=address,undefined -fno-sanitize-recover=all "$out/kinds.c" -o "$out/kinds" "${shared[@]}"
ASAN_OPTIONS=detect_leaks=1 "$out/kinds"

step "a program that fetches with libcurl"
gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${flags[@]}" Examples/c/fetching.c -o "$out/fetching" "${shared[@]}" -lcurl -lpthread
"$out/fetching" "http://127.0.0.1:$(cat "$out/port")/jwks.json" docs/example/access-token.txt 1788598987 | grep -q '"token_use":"access"'

step "fields of interim responses and trailers are none of the response, and lines of a head may be long"
python3 -u -c 'import pathlib, socket
keys = pathlib.Path("docs/example/jwks.json").read_bytes()
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1])
while True:
    connection = server.accept()[0]
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/html\r\n\r\nHTTP/1.1 200 OK\r\nX-Long: " + b"a" * 20_000
        + b"\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\nContent-Type: text/html\r\n\r\n" % (len(keys), keys))
    connection.close()' > "$out/interim-port" &
interim=$!
trap 'kill $server $interim' EXIT
while [ ! -s "$out/interim-port" ]; do sleep 0.1; done
"$out/fetching" "http://127.0.0.1:$(cat "$out/interim-port")/jwks.json" docs/example/access-token.txt 1788598987 | grep -q '"token_use":"access"'

step "valgrind"
for test in tokens fetches sessions protocols; do
  gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${flags[@]}" "$tests/$test.c" -o "$out/$test" "${shared[@]}" -lpthread
done
if [ "${2:-}" = debug ]; then
  echo "left out: in code without optimisation it reports branches of Swift's runtime"
else
  valgrind --quiet --error-exitcode=9 --leak-check=no --suppressions=Tests/SecretFlow/libcrypto.supp --suppressions=Tests/CInterface/swift.supp "$out/tokens" "${example[@]}"
  valgrind --quiet --error-exitcode=9 --leak-check=no --suppressions=Tests/SecretFlow/libcrypto.supp --suppressions=Tests/CInterface/swift.supp "$out/fetches" "${example[@]}"
  valgrind --quiet --error-exitcode=9 --leak-check=no --suppressions=Tests/SecretFlow/libcrypto.supp --suppressions=Tests/CInterface/swift.supp "$out/sessions"
  valgrind --quiet --error-exitcode=9 --leak-check=no --suppressions=Tests/SecretFlow/libcrypto.supp "$out/protocols"
fi

step "linked statically"
gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${flags[@]}" "$tests/protocols.c" -o "$out/protocols-static" "$library/libtokensecurity.a" \
  $(sed -n 's/^Libs.private: //p' "$library/tokensecurity.pc")
"$out/protocols-static"

step "installed, the program of the guide, found by pkg-config"
make --no-print-directory install-c-files DESTDIR="$PWD/$out/root" PREFIX=/opt/ts > /dev/null
python3 - docs/c-interface.md > "$out/gate.c" <<'EOF2'
import re, sys
print(re.search(r"```c\n(.*?)```", open(sys.argv[1]).read(), re.S)[1])
EOF2
export PKG_CONFIG_PATH="$PWD/$out/root/opt/ts/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$PWD/$out/root"
# The folder of the system's packages is not the one that was installed to.
# shellcheck disable=SC2046
gcc -std=c99 -Wall -Wextra -Werror -pedantic "$out/gate.c" $(pkg-config --cflags --libs tokensecurity) -lcurl -o "$out/gate"
if LD_LIBRARY_PATH="$out/root/opt/ts/lib" "$out/gate" a.b.c 2> "$out/gate.txt"; then
  echo "the program of the guide accepts a.b.c"
  exit 1
fi
grep -q "^base64url" "$out/gate.txt"

step "what the programs that fetch ask of libcurl"
gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${flags[@]}" -shared -fPIC "$tests/curl_calls.c" -o "$out/curl_calls.so"
asked() {
  # All of them fail.
  env LD_LIBRARY_PATH="$out/root/opt/ts/lib" LD_PRELOAD="$PWD/$out/curl_calls.so" "$@" 2> "$out/asked.txt" > "$out/claims.txt" && exit 1
  grep -q "^fetch_connection" "$out/asked.txt"
  sort -u "$out/asked.txt" | { grep "^curl" || true; }
}
printf 'curl: %s\n' "field=Accept: application/jwk-set+json, application/json" perform proxy= timeout=1234 > "$out/wanted.txt"
printf 'curl: %s\n' "other roots=none" roots=/roots.pem | sort - "$out/wanted.txt" > "$out/wanted-with-roots.txt"
asks_the_right() {
  asked LEFT=1234 "$@" | diff "$out/wanted.txt" -
  asked LEFT=1234 ROOTS=/roots.pem "$@" | diff "$out/wanted-with-roots.txt" -
  # Without time they do not fetch: 0 is no limit for libcurl.
  asked LEFT=0 "$@" | diff /dev/null -
}
asks_the_right "$out/gate" "$(cat docs/example/access-token.txt)"
asks_the_right "$out/fetching" http://127.0.0.1:1/ docs/example/access-token.txt 1788598987

printf 'curl: %s\n' "body={}" size=2 | sort - "$out/wanted.txt" > "$out/wanted-with-body.txt"
asked LEFT=1234 BODY={} "$out/fetching" http://127.0.0.1:1/ docs/example/access-token.txt 1788598987 | diff "$out/wanted-with-body.txt" -

step "C++ and Go"
g++ -std=c++11 "${flags[@]}" Examples/c/codes.cpp -o "$out/codes" "${shared[@]}"
"$out/codes" | grep -q "94287082"
(cd Examples/c && CGO_CFLAGS="-I$PWD/../../Sources/Programs/TokenSecurityC/include" CGO_LDFLAGS="-L$library -ltokensecurity -Wl,-rpath,$library" \
  GO111MODULE=off go run claims.go ../../docs/example/access-token.txt ../../docs/example/jwks.json 1788598987) | grep -q '"token_use":"access"'
echo "libtokensecurity: all passed"
