# What there is to do here. Each target installs what it needs (Debian packages, as root or through sudo)
# and says what it does.

SHELL := /bin/bash
PREFIX ?= /usr/local
ROUNDS ?= 5
FUZZ_SECONDS ?= 30
STATIC := .build-static/release/verify-token
FETCH := .build-static/release/verify-token-fetch
QR := .build-qr/release/verify-token-qr
# The same for all that is built here: other flags would build all of it anew.
STRICT := -Xswiftc -warnings-as-errors
# The traits of all products that are tested here. Others would build all of it anew, too.
TRAITS := --traits VerifyToken,IdentityService,SigV4Credentials
# One file that is not position-independent, without the sections that nothing refers to.
STATIC_FLAGS := --traits VerifyToken -c release --static-swift-stdlib --scratch-path .build-static \
  -Xswiftc -static-executable -Xlinker --gc-sections
# The linker's notes that looking up hosts loads the machine's own library at run time.
QUIET := grep -v "statically linked applications requires\|is dangerous, better use"

EXAMPLE := Examples/bearer-service

SERVICE := .build-qr/release/identity-service

# Programs that tests start are targets only here.
export TOKEN_SECURITY_PEERS := 1

.PHONY: demo demo-identity test lint bench fuzz interop examples consumers static install secrets instructions timing packages packages-interop packages-bench docs clean

demo: packages ## verify a real access token and explain every check
	@echo "building verify-token (a minute the first time)"
	@swift build $(STATIC_FLAGS) --product verify-token 2> >($(QUIET) >&2)
	@echo
	$(STATIC) --explain --user-pool eu-west-1_Example01 --use access \
	  --client-id 1h57kf5cpq17m0eml12EXAMPLE --jwks docs/example/jwks.json \
	  --at 2026-09-05T09:03:07Z < docs/example/access-token.txt

demo-identity: packages ## a pool to sign your own users in with: make it, and print the lines that use it
	@echo "building identity-service and verify-token (minutes the first time)"
	@swift build $(TRAITS) $(STRICT) --product verify-token
	@swift build $(TRAITS) $(STRICT) --product identity-service
	@.build/debug/identity-service demo

test: packages ## build with warnings as errors and pass the tests
	swift build --build-tests $(TRAITS) $(STRICT)
	swift test $(TRAITS) $(STRICT)

lint: ## the layout that swift format decides
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzz Benchmarks/Package.swift Benchmarks/Sources \
	  $(EXAMPLE)/Package.swift $(EXAMPLE)/Sources $(EXAMPLE)/Tests

interop: packages packages-interop ## tokens of others here, ours there; providers of others over real HTTP
	swift build $(TRAITS) $(STRICT) --product verify-token
	swift build $(TRAITS) $(STRICT) --product verify-token-fetch
	swift build $(TRAITS) $(STRICT) --product token-maker
	swift build $(TRAITS) $(STRICT) --product request-peer
	swift build $(TRAITS) $(STRICT) --product sign-in-peer
	swift build $(TRAITS) $(STRICT) --product verify-token-qr
	swift build $(TRAITS) $(STRICT) --product identity-peer
	swift build $(TRAITS) $(STRICT) --product identity-service
	@# One file a worker: what a file's tests share is made once.
	.venv/bin/python -m pytest -q -n 2 --dist loadfile Tests/Interop

examples: packages ## the service in Examples/, and its tests
	@# Where the tests were built: both stand on the same packages, which would take minutes to build a second time. On the
	@# first visit the package manager builds its plugins alone and calls that complete; the second command builds the rest.
	swift build --build-tests --package-path $(EXAMPLE) --scratch-path .build $(STRICT)
	swift test --package-path $(EXAMPLE) --scratch-path .build $(STRICT)

consumers: packages ## packages that link each product: what they fetch, and that they build and run
	Tests/Consumers/run.py

fuzz: packages ## FUZZ_SECONDS for each target, under AddressSanitizer
	Fuzz/run.sh $(FUZZ_SECONDS)

bench: packages packages-interop packages-bench static ## ratios beside peers and bare libcrypto
	@# A path dependency's new files are seen only when the manifest is newer.
	touch Benchmarks/Package.swift
	swift build -c release --package-path Benchmarks
	ROUNDS=$(ROUNDS) .venv/bin/python Benchmarks/run.py

secrets: packages ## no branch and no place in memory depends on a secret: under valgrind's memcheck
	@.ci/packages valgrind
	Tests/SecretFlow/run.sh

instructions: packages ## hot paths and growth of parsers, in instructions: counts do not depend on the machine's load
	@.ci/packages valgrind
	@# Debian's valgrind does not read all of DWARF 5; names of functions are in the symbol table.
	swift build -c release --static-swift-stdlib -Xlinker --strip-debug --scratch-path .build-probe --product instruction-probe $(TRAITS) $(STRICT)
	swift build -c release --static-swift-stdlib -Xlinker --strip-debug --scratch-path .build-probe --product verify-token $(TRAITS) $(STRICT)
	Tests/Instructions/run.py paths
	Tests/Instructions/run.py shapes
	Tests/Instructions/run.py commands

timing: packages packages-bench ## whether times tell secrets: Welch's t over many measurements
	touch Benchmarks/Package.swift
	swift build -c release --package-path Benchmarks
	Benchmarks/.build/release/token-benchmarks timing

static: packages ## the command as static files
	swift build $(STATIC_FLAGS) --product verify-token 2> >($(QUIET) >&2)
	swift build $(STATIC_FLAGS) --product verify-token-fetch 2> >($(QUIET) >&2)
	@# What draws QR codes needs libqrencode, of which Debian has no static form.
	swift build -c release --static-swift-stdlib --traits IdentityService --scratch-path .build-qr --product verify-token-qr
	@# What serves identities needs SQLite as the machine has it.
	swift build -c release --static-swift-stdlib --traits IdentityService --scratch-path .build-qr --product identity-service

install: static ## the static command with what fetches keys and draws QR codes for it, its man page and completions, and identity-service, under PREFIX
	install -D -m 755 $(STATIC) $(DESTDIR)$(PREFIX)/bin/verify-token
	install -D -m 755 $(FETCH) $(DESTDIR)$(PREFIX)/libexec/verify-token-fetch
	install -D -m 755 $(QR) $(DESTDIR)$(PREFIX)/libexec/verify-token-qr
	install -D -m 755 $(SERVICE) $(DESTDIR)$(PREFIX)/bin/identity-service
	install -D -m 644 docs/verify-token.1 $(DESTDIR)$(PREFIX)/share/man/man1/verify-token.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(STATIC) --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/verify-token
	$(STATIC) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_verify-token
	$(STATIC) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/verify-token.fish

packages:
	@.ci/packages libssl-dev libjwt-dev libidn-dev libqrencode-dev libsqlite3-dev openssl

packages-bench:
	@.ci/packages jose wrk

packages-interop:
	@.ci/packages python3-venv openssl oathtool zbar-tools curl s3cmd strace
	@cmp -s Tests/Interop/requirements.txt .venv/installed.txt || (echo "installing the peers of Tests/Interop/requirements.txt into .venv" && \
	  python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Interop/requirements.txt && \
	  cp Tests/Interop/requirements.txt .venv/installed.txt)

docs: ## the modules' documentation, into .build-docs
	.ci/docs

clean:
	rm -rf .build .build-* Benchmarks/.build .venv
