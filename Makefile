# `make help` lists the targets. Each installs the Debian packages that it needs, as root or with sudo, and says so.

SHELL := /bin/bash
PREFIX ?= /usr/local
ROUNDS ?= 5
STATIC := .build-static/verify-token
# The static command beside the programs that it starts.
PROGRAMS := .build-static/programs
FETCH := .build-static/verify-token-fetch
QR := .build-optimized/release/verify-token-qr
SERVE := .build-optimized/release/verify-token-serve
# The build tool orders the traits in compiler flags by hash values. Random ones would compile all modules anew each time.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build
# The same flags and traits for all targets: others would rebuild everything.
STRICT := -Xswiftc -warnings-as-errors
TRAITS := --traits VerifyToken,IdentityService,SigV4Credentials,CInterface
# `none` saves a tenth of the build's time; a crash then has the names of functions without lines.
DEBUG_INFO ?= dwarf
# A module at a time takes a quarter of the CPU time less than a batch of its files, and compiles all of them after each change.
WHOLE_MODULES ?=
DEBUG := -debug-info-format $(DEBUG_INFO) $(TRAITS) $(STRICT) \
  $(if $(WHOLE_MODULES),-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1)
# The traits change TokenSecurityCrypto, so they have a build folder of their own, both the same.
SODIUM := --traits Sodium,XXHash --scratch-path .build-sodium
SODIUM_TESTS := JOSETests SigV4Tests TokenSecurityCryptoTests

# Optimised programs with the Swift runtime inside, in one folder with one set of traits: for installing, instruction counts,
# C and Python. Without debug information: the symbol table has the function names.
OPTIMIZED := .build-optimized/release
RELEASE := -c release --static-swift-stdlib -debug-info-format none -Xlinker --strip-debug --scratch-path .build-optimized $(TRAITS) $(STRICT)
# The smallest command that starts fast.
COMMAND_FLAGS := -Xlinker --strip-all -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/.ci/verify-token.ld
LINK_COMMAND := .ci/static-link $(OPTIMIZED) verify-token $(STATIC) $(COMMAND_FLAGS)
# LIBRARY=debug is the C library of the Swift tests' build, which costs no other; the optimised one is that of a release.
# BUILT=yes: that build is there, and perhaps in use.
LIBRARY ?= release
ifeq ($(LIBRARY),debug)
C_LIBRARY := .build-c-library-debug
else
C_LIBRARY := .build-c-library
endif

EXAMPLE := Examples/bearer-service
SIGN_IN := Examples/sign-in
OWN_API := Examples/own-api

SERVICE := .build-optimized/release/identity-service
# The Debian packages, the wheel and what a release has.
DEBS := .build-deb
WHEELS := .build-wheel
RELEASED := .build-release

# Adds the programs that tests start to the package.
export TOKEN_SECURITY_PEERS := 1

.PHONY: help programs static-command deb test-deb container release c-library demo demo-identity demo-user-pool test build-tests test-c test-static sodium lint bench fuzz operations interop interop-optimised examples consumers static install install-c install-c-files secrets secrets-services instructions timing test-python wheel packages packages-demo packages-sodium packages-interop packages-bench docs pictures clean

help: ## list the targets
	@awk -F ':[^#]*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: packages ## verify an access token and show every check
	@echo "building verify-token (a minute the first time)"
	@# Not to a terminal: the build tool would give the compiler another flag, and compile all anew elsewhere.
	@set -o pipefail; $(SWIFT_BUILD) $(RELEASE) --product verify-token 2>&1 | cat
	@$(LINK_COMMAND)
	@echo
	$(STATIC) --explain --user-pool eu-west-1_Example01 --use access \
	  --client-id 1h57kf5cpq17m0eml12EXAMPLE --jwks docs/example/jwks.json \
	  --at 2026-09-05T09:03:07Z < docs/example/access-token.txt

demo-identity: packages packages-demo ## let a user of your own call an API behind nginx with temporary credentials
	@echo "building identity-service, verify-token and Examples/own-api (minutes the first time)"
	@$(SWIFT_BUILD) $(DEBUG) --product verify-token
	@$(SWIFT_BUILD) $(DEBUG) --product verify-token-fetch
	@$(SWIFT_BUILD) $(DEBUG) --product verify-token-serve
	@$(SWIFT_BUILD) $(DEBUG) --product identity-service
	@$(SWIFT_BUILD) $(DEBUG) --product call-an-api
	@$(OWN_API)/demo .build/debug $(firstword $(wildcard .venv/bin/python) .venv-demo/bin/python)
	@[ ! -t 1 ] || { echo; echo "A service to try by hand:"; echo; exec .build/debug/identity-service demo; }

demo-user-pool: packages ## sign a user up and in with a user pool on this machine, and sign a request
	@echo "building identity-service, verify-token and Examples/sign-in (minutes the first time)"
	@$(SWIFT_BUILD) $(DEBUG) --product verify-token
	@$(SWIFT_BUILD) $(DEBUG) --product verify-token-fetch
	@$(SWIFT_BUILD) $(DEBUG) --product identity-service
	@$(SWIFT_BUILD) $(DEBUG) --product sign-in
	@$(SIGN_IN)/demo .build/debug

# The tests of some modules alone, by the names of their targets without "Tests": `make test MODULES="JOSE SigV4"`.
MODULES ?=
# How many tests run at once. More would need more memory and files. PARALLEL=--no-parallel shows the time of each test.
PARALLEL ?= --experimental-maximum-parallelization-width 10
TEST_TARGETS := $(MODULES:%=%Tests)
ifneq ($(MODULES),)
test: packages
	@for name in $(TEST_TARGETS); do [ -d Tests/$$name ] || { \
	  echo "there is no Tests/$$name; MODULES takes: $$(basename -s Tests -a Tests/*Tests | tr '\n' ' ')" >&2; exit 2; }; done
	TOKEN_SECURITY_TESTS="$(TEST_TARGETS)" $(SWIFT_BUILD) $(DEBUG) --product token-securityPackageTests
	TOKEN_SECURITY_TESTS="$(TEST_TARGETS)" .ci/test --skip-build $(PARALLEL) $(DEBUG)
else
test: build-tests ## build with warnings as errors and run the tests; MODULES="JOSE SigV4" for some alone
	.ci/test --skip-build $(PARALLEL) $(DEBUG)
endif

build-tests: packages
	@# The build tool adds to an archive, and leaves what a renamed file has left in it.
	@rm -f .build/debug/libtokensecurity.a
	$(SWIFT_BUILD) --build-tests $(DEBUG)

test-static: build-tests static-command ## run the tests of the command with the static command
	@mkdir -p $(PROGRAMS)
	cp $(STATIC) .build/debug/verify-token-fetch .build/debug/verify-token-qr .build/debug/verify-token-serve .build/debug/identity-service $(PROGRAMS)
	TOKEN_SECURITY_PROGRAMS="$(CURDIR)/$(PROGRAMS)" .ci/test --skip-build $(PARALLEL) $(DEBUG) --filter CommandTests --skip ExtremeValueTests

sodium: packages packages-sodium ## run the tests of signatures and checksums with the traits Sodium and XXHash
	TOKEN_SECURITY_TESTS="$(SODIUM_TESTS)" $(SWIFT_BUILD) $(SODIUM) --product token-securityPackageTests $(STRICT)
	TOKEN_SECURITY_TESTS="$(SODIUM_TESTS)" .ci/test --skip-build $(SODIUM) $(STRICT)

lint: ## check the layout and the documentation comments with swift format
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Fuzz Benchmarks/Package.swift Benchmarks/Sources \
	  $(EXAMPLE)/Package.swift $(EXAMPLE)/Sources $(EXAMPLE)/Tests $(SIGN_IN)/Package.swift $(SIGN_IN)/Sources $(OWN_API)/Sources Examples/uses Examples/readme Examples/hummingbird Examples/flyingfox

programs: packages ## build all optimised programs in .build-optimized
	@# After a build of one product, the build tool would also build the programs of other packages, and fail to link one.
	touch Package.swift
	$(SWIFT_BUILD) $(RELEASE)

# One file per worker: the tests of a file share their fixtures. A test that is skipped is named.
INTEROP = TOKEN_SECURITY_PROGRAMS="$(CURDIR)/$(1)" .ci/contained .venv/bin/python -m pytest -q -rs -n 2 --dist loadfile Tests/Interop

BOTOCORE ?=
operations: ## make the declarations of operations; BOTOCORE=1.45.0 takes the models of another version and lists the difference
	python3 Tools/operations.py $(if $(BOTOCORE),--botocore $(BOTOCORE))
	@echo "TOKEN_SECURITY_WRITE_REFERENCE=1 make test MODULES=ServiceOperations writes docs/operations.md and the seeds for fuzzing"

interop: build-tests packages-interop ## test against other libraries, clients and OpenID providers, over HTTP
	@# With the programs of the other tests: optimised ones would take as much CPU time to build as all these tests.
	$(call INTEROP,.build/debug)

interop-optimised: programs packages-interop ## the same with optimised programs
	$(call INTEROP,$(OPTIMIZED))

examples: packages ## build and test Examples/ as packages of their own, as their readers do
	@# `make test` builds their sources with all others, and runs their tests.
	$(SWIFT_BUILD) --build-tests --package-path $(EXAMPLE) --scratch-path .build-examples $(STRICT)
	.ci/test --skip-build --package-path $(EXAMPLE) --scratch-path .build-examples $(STRICT)
	$(SWIFT_BUILD) --package-path $(SIGN_IN) --scratch-path .build-examples $(STRICT)

consumers: packages ## count the packages that products fetch
	Tests/Consumers/run.py

fuzz: packages ## fuzz each target for FUZZ_SECONDS with AddressSanitizer
	@# Unset, it is a part of 20 seconds: TEST_SCALE, by default a tenth.
	Fuzz/run.sh

bench: packages packages-interop packages-bench static ## compare speed with other libraries and with libcrypto alone
	@# New files in a path dependency are found only if the manifest is newer.
	touch Benchmarks/Package.swift
	$(SWIFT_BUILD) -c release --package-path Benchmarks
	$(SWIFT_BUILD) -c release --package-path Benchmarks --traits Sodium --scratch-path Benchmarks/.build-sodium --product token-benchmarks
	ROUNDS=$(ROUNDS) .venv/bin/python Benchmarks/run.py

secrets: packages ## check with valgrind that no branch or memory access depends on a secret
	@.ci/packages valgrind
	Tests/SecretFlow/run.sh

secrets-services: packages ## the same for user pools, their client and data sets
	@.ci/packages valgrind
	Tests/SecretFlow/run.sh services

instructions: packages ## count the instructions of hot paths, and their growth with the input
	@.ci/packages valgrind
	$(SWIFT_BUILD) $(RELEASE) --product instruction-probe
	$(SWIFT_BUILD) $(RELEASE) --product verify-token
	Tests/Instructions/run.py paths
	Tests/Instructions/run.py hidden
	Tests/Instructions/run.py shapes
	Tests/Instructions/run.py commands
	Tests/Instructions/run.py starts

ifeq ($(LIBRARY),debug)
c-library: $(if $(BUILT),packages,build-tests)
	@.ci/packages binutils
	.ci/c-library .build/debug $(C_LIBRARY)
else
c-library: packages ## build libtokensecurity, for programs in C, in .build-c-library
	@.ci/packages binutils
	@# As for the tests.
	@rm -f $(OPTIMIZED)/libtokensecurity.a
	$(SWIFT_BUILD) $(RELEASE) --product tokensecurity
	.ci/c-library $(OPTIMIZED) $(C_LIBRARY)
endif

test-c: c-library ## test libtokensecurity with programs in C, C++ and Go, AddressSanitizer and valgrind
	@.ci/packages valgrind gcc g++ golang-go pkg-config libcurl4-openssl-dev
	Tests/CInterface/run.sh $(C_LIBRARY) $(LIBRARY)

wheel: c-library ## build the wheel of the Python package in .build-wheel
	@.ci/packages python3-venv
	.ci/wheel $(C_LIBRARY) .build-wheel

test-python: wheel packages-interop ## install the wheel and test it against other Python libraries
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall --target .build-wheel/site .build-wheel/*.whl
	@# Of the build that the library is from: APIs of the examples ask it.
	$(if $(filter debug,$(LIBRARY)),,$(SWIFT_BUILD) $(RELEASE) --product identity-service)
	TOKEN_SECURITY_PROGRAMS="$(CURDIR)/$(if $(filter debug,$(LIBRARY)),.build/debug,$(OPTIMIZED))" PYTHONPATH=.build-wheel/site \
	  .ci/contained .venv/bin/python -m pytest -q Tests/Python

install-c: c-library install-c-files ## install the header, the libraries and the pkg-config file under PREFIX

install-c-files:
	install -D -m 644 Sources/Programs/TokenSecurityC/include/tokensecurity.h $(DESTDIR)$(PREFIX)/include/tokensecurity.h
	install -D -m 644 $(C_LIBRARY)/libtokensecurity.so.2 $(DESTDIR)$(PREFIX)/lib/libtokensecurity.so.2
	ln -sf libtokensecurity.so.2 $(DESTDIR)$(PREFIX)/lib/libtokensecurity.so
	install -D -m 644 $(C_LIBRARY)/libtokensecurity.a $(DESTDIR)$(PREFIX)/lib/libtokensecurity.a
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	sed 's,@PREFIX@,$(PREFIX),' $(C_LIBRARY)/tokensecurity.pc > $(DESTDIR)$(PREFIX)/lib/pkgconfig/tokensecurity.pc

# The share of 400 and 400 names, for each half, that are measured.
TIMING_SHARE ?= 0.1
timing: packages packages-bench ## test whether times depend on secrets (Welch's t-test), and show which users exist
	touch Benchmarks/Package.swift
	$(SWIFT_BUILD) -c release --package-path Benchmarks
	Benchmarks/.build/release/token-benchmarks timing
	TIMING_SHARE=$(TIMING_SHARE) Benchmarks/.build/release/token-benchmarks timing names

static: packages static-command ## build static programs
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-fetch
	.ci/static-link $(OPTIMIZED) verify-token-fetch $(FETCH) -Xlinker --strip-debug
	@# These two link libqrencode and SQLite dynamically: Debian has no static libqrencode.
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-qr
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-serve
	$(SWIFT_BUILD) $(RELEASE) --product identity-service

static-command: packages
	$(SWIFT_BUILD) $(RELEASE) --product verify-token
	$(LINK_COMMAND)
	.ci/check-command $(STATIC)

deb: packages static-command c-library ## build the Debian packages in .build-deb
	@.ci/packages debhelper dpkg-dev
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-fetch
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-qr
	$(SWIFT_BUILD) $(RELEASE) --product verify-token-serve
	$(SWIFT_BUILD) $(RELEASE) --product identity-service
	packaging/build $(STATIC) .build-optimized/release $(C_LIBRARY) $(DEBS)

test-deb: deb packages-interop ## install, run, upgrade and remove the Debian packages in a clean Debian; lintian, SBOM, container
	@.ci/packages debootstrap lintian systemd buildah openssh-client
	.venv/bin/python Tests/Packages/run.py $(STATIC) .build-optimized/release $(C_LIBRARY) $(DEBS)

container: packages static-command ## build a container image with the static command alone, with buildah
	@.ci/packages buildah
	@mkdir -p .build-container
	cp $(STATIC) LICENSE packaging/Containerfile .build-container/
	SOURCE_DATE_EPOCH="$$(packaging/date)" packaging/sbom > .build-container/sbom.spdx.json
	buildah bud --isolation chroot --timestamp "$$(packaging/date)" --tag verify-token .build-container

release: deb wheel ## collect what a release has in .build-release, with SHA256SUMS; KEY signs it
	packaging/release $(DEBS) $(WHEELS) $(RELEASED)

install: static ## install the programs, the man pages and the completions under PREFIX
	install -D -m 755 $(STATIC) $(DESTDIR)$(PREFIX)/bin/verify-token
	install -D -m 755 $(FETCH) $(DESTDIR)$(PREFIX)/libexec/verify-token-fetch
	install -D -m 755 $(QR) $(DESTDIR)$(PREFIX)/libexec/verify-token-qr
	install -D -m 755 $(SERVE) $(DESTDIR)$(PREFIX)/libexec/verify-token-serve
	install -D -m 755 $(SERVICE) $(DESTDIR)$(PREFIX)/bin/identity-service
	install -D -m 644 docs/verify-token.1 $(DESTDIR)$(PREFIX)/share/man/man1/verify-token.1
	install -D -m 644 docs/identity-service.1 $(DESTDIR)$(PREFIX)/share/man/man1/identity-service.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	for program in $(STATIC) $(SERVICE); do name=$$(basename $$program) && \
	  $$program --generate-completion-script bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$name && \
	  $$program --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$name && \
	  $$program --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$name.fish || exit 1; done

packages:
	@.ci/packages libssl-dev libjwt-dev libidn-dev libqrencode-dev libsqlite3-dev libpq-dev libcurl4-openssl-dev postgresql strace openssl python3

# boto3 of the tests, or alone.
packages-demo:
	@.ci/packages python3-venv curl faketime nginx-light
	@[ -x .venv/bin/python ] || .venv-demo/bin/python -c "import boto3" 2> /dev/null || (echo "installing boto3 into .venv-demo" && \
	  python3 -m venv .venv-demo && .venv-demo/bin/pip install --quiet --disable-pip-version-check $$(grep ^boto3= Tests/Interop/requirements.txt))

packages-sodium:
	@.ci/packages libsodium-dev libxxhash-dev

packages-bench:
	@.ci/packages jose wrk libsodium-dev postgresql

packages-interop:
	@.ci/packages python3-venv openssl gnutls-bin jose oathtool zbar-tools curl s3cmd sqlite3 strace postgresql faketime nginx-light \
	  caddy haproxy golang-go golang-github-aws-aws-sdk-go-dev
	@cmp -s Tests/Interop/requirements.txt .venv/installed.txt || (echo "installing the peers of Tests/Interop/requirements.txt into .venv" && \
	  python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check --no-compile -r Tests/Interop/requirements.txt && \
	  .venv/bin/pip install --quiet --disable-pip-version-check --no-deps warrant==0.6.1 && \
	  cp Tests/Interop/requirements.txt .venv/installed.txt)

pictures: ## make the pictures of the guides from their sources
	@.ci/packages fossil
	docs/pictures/make
	docs/pictures/record

docs: ## build the documentation of the modules in .build-docs, and check the pictures of the guides
	@.ci/packages fossil
	docs/pictures/make --check
	SWIFT_DETERMINISTIC_HASHING=1 .ci/docs $(DEBUG)

include .ci/nightly.mk

clean: ## delete all build folders
	rm -rf .build .build-* Benchmarks/.build Benchmarks/.build-* .venv .venv-demo
