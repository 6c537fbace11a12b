# What a change has no time for. `.ci/nightly` says what the parts are; each takes at most an hour and keeps its result.

.PHONY: nightly consumers-full test-container debian13

nightly: ## run all nightly checks one after the other: nightly-PART runs one of them, the results are in .build-nightly
	.ci/nightly

nightly-%:
	.ci/nightly $*

consumers-full: packages packages-sodium ## the same for each product, and build and run packages that link them
	Tests/Consumers/run.py full

test-container: container ## verify a token in the container image
	.ci/test-container

debian13: build-tests c-library wheel ## run programs that were built here in a Debian 13: the tests of cryptography and records, the C library, the wheel, the sidecar
	@.ci/packages debootstrap
	.ci/debian13
