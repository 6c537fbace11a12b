#!/usr/bin/env python3
"""Packages that link the toolkit by its address and a version, as others do.

    Tests/Consumers/run.py         what a change must pass: which packages are fetched for products, most of them together
    Tests/Consumers/run.py full    all

In full: for each product, which packages are fetched. One package with products that need no other package is built and run,
beside a package whose targets have the names that this package does not take. libsodium and libxxhash are linked only with the traits
Sodium and XXHash. A package with all other libraries is built, with the packages that they fetch. A product whose trait is missing is
refused in one line.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
folder = root / ".build-consumers"
origin = folder / "token-security"
cache = folder / "cache"

# Libraries with the traits and packages that Package.swift says they need.
found = json.loads(subprocess.run([root / ".ci/modules", "json"], stdout=subprocess.PIPE, check=True).stdout)["products"]
PRODUCTS = {name: product for name, product in found.items() if name == product["module"] and not re.search("[a-z]-", name)}
ALONE = [name for name, product in PRODUCTS.items() if not product["traits"]]
TRAITS = {name: product["traits"] for name, product in PRODUCTS.items() if product["packages"]}
# Packages that fetch no others: with these alone, exactly these are fetched.
LEAVES = {"grdb.swift", "swift-http-types", "swift-log", "swift-metrics"}
# What only the programs need.
PROGRAMS = {"hummingbird", "swift-argument-parser"}


def run(*command, cwd, check=True, capture=True):
    done = subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=capture)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed in {cwd}:\n{done.stdout}\n{done.stderr}")
    return done


def publish():
    """The working tree, committed in a clone with a tag."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        # What was fetched for an earlier run serves this one.
        if path != cache:
            shutil.rmtree(path)
    run("git", "clone", "--quiet", "--no-hardlinks", root, origin, cwd=folder)
    files = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=root).stdout.split("\0")
    run("git", "rm", "-r", "--quiet", ".", cwd=origin)
    for name in filter(None, files):
        if (root / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, origin / name)
    run("git", "add", "--all", cwd=origin)
    run("git", "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "--quiet", "--allow-empty", "-m", "The working tree", cwd=origin)
    # The cache has the tags of earlier runs: the newest one is taken.
    run("git", "tag", f"99.0.{int(time.time())}", cwd=origin)


def package(name, targets, traits=(), extra=""):
    """A package with executable targets: their sources, and the products that each links."""
    path = folder / name
    for target, (source, products) in targets.items():
        (path / "Sources" / target).mkdir(parents=True)
        (path / "Sources" / target / "main.swift").write_text(source)
    lines = ",\n".join(
        f'    .executableTarget(name: "{target}", dependencies: ['
        + ", ".join(f'.product(name: "{product}", package: "{"neighbour" if product == "Neighbour" else "token-security"}")' for product in products)
        + "])"
        for target, (_, products) in targets.items())
    named = f', traits: [{", ".join(json.dumps(trait) for trait in traits)}]' if traits else ""
    (path / "Package.swift").write_text(f"""// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "{name}",
  dependencies: [.package(url: "file://{origin}", from: "99.0.0"{named}){extra}],
  targets: [
{lines}
  ]
)
""")
    return path


def resolved(path):
    """The packages besides ours."""
    run("swift", "package", "--cache-path", cache, "resolve", cwd=path)
    pins = json.loads((path / "Package.resolved").read_text())["pins"]
    return {pin["identity"] for pin in pins} - {"token-security", "neighbour"}


def fetched_for(*products, traits=()):
    """The packages besides ours that a package with these products fetches."""
    path = package(f"resolve-{products[0]}", {"app": ("", products)}, traits=traits)
    try:
        return resolved(path)
    finally:
        # Checkouts have many files, which the next run would remove more slowly.
        shutil.rmtree(path)


def source(name):
    return (root / "Tests/Consumers" / f"{name}.swift").read_text()


def build(path):
    run("swift", "build", "--cache-path", cache, cwd=path)


if not os.environ.get("CONTAINED"):
    os.execv(root / ".ci/contained", [".ci/contained", __file__, *sys.argv[1:]])
if sys.argv[1:] not in ([], ["full"]):
    sys.exit(__doc__)
sys.stdout.reconfigure(line_buffering=True)
full = sys.argv[1:] == ["full"]
publish()
# What all of them fetch together is what each fetches.
for products in [[product] for product in ALONE] if full else [ALONE]:
    fetched = fetched_for(*products)
    assert fetched == set(), f"{products} fetch {sorted(fetched)}"
    print(f"{', '.join(products)}: no package")
seen = set()
for product, traits in TRAITS.items():
    if not full and tuple(traits) in seen:
        continue
    seen.add(tuple(traits))
    needed = {*PRODUCTS[product]["packages"]}
    fetched = fetched_for(product, traits=traits)
    assert needed <= fetched and not fetched & PROGRAMS, f"{product} fetches {sorted(fetched)}"
    assert not needed <= LEAVES or fetched == needed, f"{product} fetches {sorted(fetched)}"
    assert "SQLite" in product or "grdb.swift" not in fetched, f"{product} fetches {sorted(fetched)}"
    print(f"{product}: {len(fetched)} packages")
# What a trait adds to a product that needs none.
for product, trait, added in [("SigV4", "SigV4HTTPTypes", "swift-http-types"), ("CognitoSyncClient", "RecordsSQLite", "grdb.swift")]:
    assert (fetched := fetched_for(product, traits=[trait])) == {added}, f"{product} with {trait} fetches {sorted(fetched)}"
    print(f"{product} with {trait}: {added}")
if not full:
    sys.exit()

# Names that others have: of swift-srp, of swift-otp, of wrappers around OpenSSL.
neighbour = folder / "neighbour"
taken = ["SRP", "OTP", "COpenSSL", "CQRencode", "CStringprep", "CLibJWT", "Encodings", "CryptoPrimitives", "VectorFiles"]
for name in taken:
    (neighbour / "Sources" / name).mkdir(parents=True)
    (neighbour / "Sources" / name / "Name.swift").write_text(f'public let nameOf{name} = "{name}"\n')
(neighbour / "Package.swift").write_text(f"""// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "neighbour", products: [.library(name: "Neighbour", targets: {json.dumps(taken)})],
  targets: [{", ".join(f'.target(name: "{name}")' for name in taken)}])
""")
five = package("alone", {
    "lifetime": (source("TokenLifetime"), ["TokenLifetime"]), "jose": (source("JOSE"), ["JOSE"]), "sigv4": (source("SigV4"), ["SigV4"]),
    "password": (source("SecureRemotePassword"), ["SecureRemotePassword", "Neighbour"]), "codes": (source("OneTimeCodes"), ["OneTimeCodes", "Neighbour"]),
}, extra=', .package(path: "../neighbour")')
assert resolved(five) == set()
build(five)
for program in ["lifetime", "jose", "sigv4", "password", "codes"]:
    print(f"{program}: {run(five / '.build/debug' / program, cwd=five).stdout.strip()}")

# The traits that bring no package and change no product.
libraries = package(
    "libraries", {"jose": (source("JOSE"), ["JOSE"]), "sigv4": (source("SigV4"), ["SigV4"])}, traits=["Sodium", "XXHash"])
assert resolved(libraries) == set()
build(libraries)
for program, trait, library in [("jose", "Sodium", "libsodium"), ("sigv4", "XXHash", "libxxhash")]:
    print(f"{program}, trait {trait}: {run(libraries / '.build/debug' / program, cwd=libraries).stdout.strip()}")
    for path, linked in [(five, False), (libraries, True)]:
        assert (library in run("ldd", path / ".build/debug" / program, cwd=path).stdout) == linked, path

others = [*TRAITS, *ALONE]
rest = package("others", {"all": (source("AllOthers"), others)}, traits=sorted({"SigV4HTTPTypes"}.union(*TRAITS.values())))
build(rest)
print(f"all others: {run(rest / '.build/debug/all', cwd=rest).stdout.strip()}")

for product in TRAITS:
    path = package(f"missing-{product}", {"app": (f"import {product}\n", [product])})
    done = run("swift", "build", "--cache-path", cache, cwd=path, check=False)
    errors = set(re.findall(r"error: (.*)", re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)))
    errors = {error for error in errors if "needs the trait" in error or "no such module" in error}
    assert done.returncode != 0 and errors and all(re.match(r"\w+ needs the trait \w+: ", error) for error in errors), (product, done.stdout, done.stderr)
    print(f"{product} without its trait: {sorted(errors)[0].split(':')[0]}")
