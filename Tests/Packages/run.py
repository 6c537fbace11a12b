"""The Debian packages in a clean Debian: installed, run, upgraded, removed. Also lintian, the unit, the SBOM, the container.

    run.py STATIC_COMMAND RELEASE_FOLDER C_LIBRARY_FOLDER DEBIAN_PACKAGES_FOLDER

Needs root: it makes a root folder with debootstrap and changes into it. Nothing of this machine is changed.
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Interop"))
from waiting import LIMIT, eventually  # noqa: E402 (its folder is added before)

ROOT = HERE.parent.parent
# What a Debian has that is to run services and to compile C, and what the packages depend on.
INCLUDED = "ca-certificates,g++,libc6-dev,pkg-config,libssl-dev,libsqlite3-0,libpq5,libidn12,libqrencode4,adduser,systemd"
NAMES = ("identity-service", "libtokensecurity-dev", "libtokensecurity2", "verify-token")
# Of systemd-analyze's scale from 0 to 10.
EXPOSURE = 2.5


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900, **more)
    if done.returncode != 0:
        sys.exit(f"{words[0]} ended with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def step(text):
    print(f"ok: {text}", flush=True)


def packages(folder):
    found = sorted(pathlib.Path(folder).glob("*.deb"))
    assert [path.name.split("_")[0] for path in found] == sorted(NAMES), found
    return found


def digests(folder):
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in packages(folder)]


class Debian:
    """A root folder, in which commands run with a /proc of their own."""

    def __init__(self, folder, base):
        self.folder = pathlib.Path(folder) / "root"
        run("cp", "-a", base, self.folder)

    def command(self, *words):
        return ["unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={self.folder}/proc", "chroot", str(self.folder), *map(str, words)]

    def __call__(self, *words, **more):
        return run(*self.command(*words), **more)

    def path(self, name):
        return self.folder / name.lstrip("/")

    def install(self, files):
        for file in files:
            shutil.copy(file, self.folder / "tmp")
        return self("dpkg", "-i", *(f"/tmp/{file.name}" for file in files), env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})

    def files(self):
        return {
            str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
            if not path.is_dir() and not str(path.relative_to(self.folder)).startswith(("var/lib/dpkg/", "var/log/", "tmp/", "proc/", "var/cache/"))}


def base():
    """A clean Debian, made once."""
    folder = ROOT / ".build-deb-root"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
        run("debootstrap", "--variant=minbase", f"--include={INCLUDED}", release["VERSION_CODENAME"], folder / "root")
        (folder / "done").touch()
    return folder / "root"


def with_small_archive(library, folder):
    """The C library with another static archive: readelf, which lintian calls, needs hours for the one object of ours."""
    shutil.copytree(library, folder, symlinks=True)
    (folder / "empty.c").write_text("int nothing(void) { return 0; }\n")
    run("gcc", "-c", "-o", folder / "empty.o", folder / "empty.c")
    (folder / "libtokensecurity.a").unlink()
    run("ar", "rcs", folder / "libtokensecurity.a", folder / "empty.o")
    return folder


def check_lintian(debs):
    print(run("lintian", "--fail-on", "error", "--tag-display-limit", "0", *debs), end="")
    step("lintian finds no error")


def check_files(debs):
    with tempfile.TemporaryDirectory() as folder:
        for deb in debs:
            run("dpkg-deb", "-x", deb, folder)
            check_scripts(deb)
        for name, program in (("identity-service", "identity-service"), ("verify-token-serve", "verify-token")):
            check_unit(pathlib.Path(folder), name, program)
        programs = [path for name in ("bin", "libexec") for path in (pathlib.Path(folder) / "usr" / name).iterdir()]
        assert len(programs) == 5, programs
        for program in programs:
            found = run("readelf", "-S", "--wide", program)
            assert ".symtab" not in found and ".debug_info" not in found, program
        step("programs are stripped")
        documents = {path.read_text() for path in pathlib.Path(folder).rglob("sbom.spdx.json")}
        assert len(documents) == 1
        check_bill(documents.pop())


def check_unit(folder, name, program):
    """A unit is valid and hardened, with its program in a folder."""
    [unit] = folder.glob(f"**/systemd/system/{name}.service")
    copy = folder / f"{name}.service"
    copy.write_text(unit.read_text().replace(f"/usr/bin/{program}", f"{folder}/usr/bin/{program}"))
    # What it finds is written to standard error, also with the status 0.
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True, timeout=60)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", ""), verified
    broken = folder / "broken.service"
    broken.write_text(copy.read_text().replace("ProtectClock=", "ProtectClok="))
    assert "ProtectClok" in subprocess.run(["systemd-analyze", "verify", "--man=no", broken], capture_output=True, text=True, timeout=60).stderr
    rated = run("systemd-analyze", "security", "--offline=true", f"--threshold={int(EXPOSURE * 10)}", copy)
    assert "Overall exposure" in rated, rated
    step(f"the unit {name} is valid and hardened: " + rated.strip().splitlines()[-1].split(": ", 1)[1])


def check_scripts(deb):
    """The maintainer scripts restart a running unit after an upgrade, and stop it before a removal."""
    if not deb.name.startswith(("identity-service_", "verify-token_")):
        return
    unit = "identity-service.service" if deb.name.startswith("identity") else "verify-token-serve.service"
    after, before = (run("dpkg-deb", "--info", deb, name) for name in ("postinst", "prerm"))
    assert "_dh_action=restart" in after and f"deb-systemd-invoke $_dh_action '{unit}'" in after, after
    assert f"deb-systemd-invoke stop '{unit}'" in before, before


def check_bill(text):
    """The SBOM is valid, and has what the build has fetched."""
    from spdx_tools.spdx.parser.jsonlikedict.json_like_dict_parser import JsonLikeDictParser
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
    document = JsonLikeDictParser().parse(json.loads(text))
    assert validate_full_spdx_document(document) == []
    found = {package.name: package.version for package in document.packages}
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        # An example's server is in no package.
        wanted = None if pin["identity"] == "flyingfox" else pin["state"]["version"]
        assert found.get(pin["identity"]) == wanted, pin
    assert {"libssl-dev", "libc6-dev", "swift-runtime", "boringssl", "zlib"} <= set(found), found
    assert not [package.name for package in document.packages if str(package.license_declared) == "NOASSERTION"]
    step(f"the SBOM is valid SPDX 2.3 with {len(found)} packages")


def check_container(command, folder):
    """An image from scratch, whose command verifies the token of the README."""
    storage = ["buildah", "--root", f"{folder}/storage", "--runroot", f"{folder}/running", "--storage-driver", "vfs"]
    context = pathlib.Path(folder) / "context"
    context.mkdir()
    for file in (command, ROOT / "LICENSE", ROOT / "packaging/Containerfile"):
        shutil.copy(file, context)
    date = run(ROOT / "packaging/date").strip()
    (context / "sbom.spdx.json").write_text(run(ROOT / "packaging/sbom", env={**os.environ, "SOURCE_DATE_EPOCH": date}))
    run(*storage, "bud", "--isolation", "chroot", "--timestamp", date, "--tag", "verify-token", context)
    made = run(*storage, "from", "verify-token").strip()
    example = ROOT / "docs/example"
    out = run(
        *storage, "run", "--isolation", "chroot", "--volume", f"{example}:/example:ro", made, "/usr/bin/verify-token", "--explain",
        "--user-pool", "eu-west-1_Example01", "--use", "access", "--client-id", "1h57kf5cpq17m0eml12EXAMPLE", "--jwks",
        "/example/jwks.json", "--at", "2026-09-05T09:03:07Z", input=(example / "access-token.txt").read_text())
    assert "\nVALID  RS256" in out, out
    place = pathlib.Path(run(*storage, "mount", made).strip())
    files = sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file() and path.stat().st_size)
    assert "usr/bin/verify-token" in files and len([name for name in files if name.startswith("usr/")]) == 3, files
    run(*storage, "umount", made)
    step("the container has the static command alone, and it verifies a token")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def verify_token(debian):
    shutil.copytree(ROOT / "docs/example", debian.path("/tmp/example"), dirs_exist_ok=True)
    out = debian(
        "verify-token", "--explain", "--user-pool", "eu-west-1_Example01", "--use", "access", "--client-id",
        "1h57kf5cpq17m0eml12EXAMPLE", "--jwks", "/tmp/example/jwks.json", "--at", "2026-09-05T09:03:07Z",
        input=(ROOT / "docs/example/access-token.txt").read_text())
    assert "\nVALID  RS256" in out, out
    # The programs that it starts are beside it.
    programs = {"verify-token-fetch", "verify-token-qr", "verify-token-serve"}
    assert programs <= set(os.listdir(debian.path("/usr/libexec")))
    checked = debian("verify-token", "serve", "--check-config", "/tmp/example/sidecar.json")
    assert checked.startswith("the configuration is valid"), checked
    out = subprocess.run(
        debian.command("verify-token", "--jwks", "https://127.0.0.1:1/jwks", "--issuer", "https://127.0.0.1:1", "--audience", "a"),
        input=(ROOT / "docs/example/access-token.txt").read_text(), capture_output=True, text=True, timeout=60)
    assert out.returncode == 2 and "no keys from" in out.stderr, out


def last_descendant(pid):
    while True:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if not children:
            return pid
        pid = int(children[0])


def serve(debian):
    """The service as its unit starts it: as its user, with the variables of its file."""
    port, management = free_port(), free_port()
    settings = dict(
        line.split("=", 1) for line in debian.path("/etc/default/identity-service").read_text().splitlines()
        if line and not line.startswith("#"))
    assert settings["IDENTITY_SERVICE_ADDRESS"] == "127.0.0.1"
    # The unit has StateDirectory=identity-service.
    settings.update({
        "STATE_DIRECTORY": "/var/lib/identity-service",
        "IDENTITY_SERVICE_PORT": str(port),
        "IDENTITY_SERVICE_MANAGEMENT_ADDRESS": f"127.0.0.1:{management}"})
    debian("install", "-d", "-m", "700", "-o", "identity-service", "-g", "identity-service", "/var/lib/identity-service")
    variables = [f"{name}={value}" for name, value in settings.items()]
    words = debian.command("runuser", "-u", "identity-service", "--", "env", *variables, "/usr/bin/identity-service", "serve")
    service = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        def is_ready():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{management}/health/ready", timeout=LIMIT) as answer:
                    return answer.status == 200
            except OSError:
                assert service.poll() is None, service.communicate()
        eventually(is_ready)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/.well-known/jwks_uri", timeout=5) as answer:
            assert json.load(answer)["keys"]
    finally:
        # The process in the root folder; its parents only wait for it.
        os.kill(last_descendant(service.pid), signal.SIGTERM)
        service.communicate(timeout=LIMIT)
    data = debian.path("/var/lib/identity-service/data")
    assert (data / "identities.sqlite").exists() and (data / "master.key").stat().st_mode & 0o777 == 0o600


def compile_against(debian, version):
    shutil.copy(HERE / "version.c", debian.path("/tmp/version.c"))
    flags = debian("pkg-config", "--cflags", "--libs", "tokensecurity").split()
    debian("gcc", "-Wall", "-Werror", "-o", "/tmp/version", "/tmp/version.c", *flags)
    assert debian("/tmp/version").strip() == version
    assert debian("pkg-config", "--modversion", "tokensecurity").strip() == version
    flags = debian("pkg-config", "--cflags", "--libs", "--static", "tokensecurity").split()
    flags = ["-l:libtokensecurity.a" if flag == "-ltokensecurity" else flag for flag in flags]
    debian("gcc", "-o", "/tmp/version-static", "/tmp/version.c", *flags)
    assert debian("/tmp/version-static").strip() == version


def check_root(folder, older, debs, version):
    debian = Debian(folder, base())
    before = debian.files()
    debian.install(packages(older))
    assert debian("dpkg-query", "-W", "-f=${Version}", "verify-token") == "0.1.0"
    settings = debian.path("/etc/default/identity-service")
    step("installed in a clean Debian")
    serve(debian)
    data = debian.path("/var/lib/identity-service/data/master.key").read_bytes()
    # An administrator's file, which an upgrade leaves as it is, has only what they need.
    settings.write_text("IDENTITY_SERVICE_ADDRESS=127.0.0.1\nIDENTITY_SERVICE_RATE=50\n")
    debian.install(debs)
    assert debian("dpkg-query", "-W", "-f=${Version}", "verify-token") == version
    assert settings.read_text() == "IDENTITY_SERVICE_ADDRESS=127.0.0.1\nIDENTITY_SERVICE_RATE=50\n"
    step("upgraded; changed settings stay")
    verify_token(debian)
    step("verify-token verifies a token")
    serve(debian)
    assert debian.path("/var/lib/identity-service/data/master.key").read_bytes() == data
    # The earlier packages have the same programs under a lower version: this is about dpkg, not about the format of the data.
    step("identity-service starts with the data and the settings from before the upgrade")
    compile_against(debian, version)
    step("programs in C link the shared and the static library")
    debian("dpkg", "-r", *NAMES)
    left = debian.files() - before
    assert "etc/default/identity-service" in left and not any(name.startswith("usr/") and "identity" in name for name in left), left
    debian("dpkg", "-P", *NAMES)
    left = {name for name in debian.files() - before if not name.startswith(("etc/passwd", "etc/group", "etc/shadow", "etc/gshadow", "etc/ld.so.cache", "etc/.pwd.lock"))}
    assert left and all(name.startswith("var/lib/identity-service/") or name.startswith("var/lib/systemd/") for name in left), left
    step("removed: the service's data stays, nothing else")


def check_release(folder, debs):
    """What a user does to verify a download, with a key of this test."""
    key, wheels = pathlib.Path(folder) / "key", pathlib.Path(folder) / "wheels"
    wheels.mkdir()
    version = run(ROOT / "packaging/version").strip()
    (wheels / f"token_security-{version}-py3-none-any.whl").write_bytes(b"a wheel")
    (wheels / "token_security-0.0.0-py3-none-any.whl").write_bytes(b"an earlier one")
    # What is committed, whatever the folder of this program has.
    tree = pathlib.Path(folder) / "tree"
    run("git", "clone", "--quiet", ROOT, tree)
    shutil.copy(ROOT / "Package.resolved", tree)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key)
    released = pathlib.Path(folder) / "released"
    environment = {**os.environ, "KEY": str(key)}
    run(tree / "packaging/release", debs[0].parent, wheels, released, env=environment)
    assert sorted(path.suffix for path in released.glob("*.*")) == sorted([".deb"] * 4 + [".gz", ".json", ".resolved", ".sig", ".whl"])
    bill = json.loads((released / f"token-security-{version}.spdx.json").read_text())
    assert {"zlib", "boringssl", "swift-nio"} <= {package["name"] for package in bill["packages"]}, bill
    (tree / "README.md").write_text("changed")
    refused = subprocess.run([tree / "packaging/release", debs[0].parent, wheels, released], env=environment, capture_output=True, text=True)
    assert refused.returncode == 1 and "not committed" in refused.stderr and (released / "SHA256SUMS").exists(), refused
    signers = pathlib.Path(folder) / "signers"
    signers.write_text("release@token-security " + pathlib.Path(f"{key}.pub").read_text())

    def verify():
        return subprocess.run(
            ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "release@token-security", "-n", "token-security", "-s", "SHA256SUMS.sig"],
            cwd=released, stdin=(released / "SHA256SUMS").open(), capture_output=True, text=True)

    assert verify().returncode == 0, verify()
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=released)
    changed = released / debs[0].name
    changed.write_bytes(changed.read_bytes() + b" ")
    assert subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=released, capture_output=True).returncode != 0
    (released / "SHA256SUMS").write_text((released / "SHA256SUMS").read_text() + "\n")
    assert verify().returncode != 0
    step("a release is verified by its signature and its sums, and a changed one is not")


def main():
    command, built, library, folder = sys.argv[1:]
    version = run(ROOT / "packaging/version").strip()
    debs = packages(folder)
    with tempfile.TemporaryDirectory() as again, tempfile.TemporaryDirectory() as older:
        run(ROOT / "packaging/build", command, built, library, again)
        assert digests(again) == digests(folder)
        step("a second build of the packages has the same bytes")
        small = with_small_archive(library, pathlib.Path(older) / "library")
        run(ROOT / "packaging/build", command, built, small, older, "0.1.0", env={**os.environ, "DEB_BUILD_OPTIONS": "nostrip noopt", "DEB_BUILD_PROFILES": "x"})
        refused = subprocess.run([ROOT / "packaging/build", command, built, small, older + "/other", "1) x"], capture_output=True, text=True)
        assert refused.returncode == 2 and "is no version" in refused.stderr, refused
        check_lintian(packages(older))
        check_files(debs)
        with tempfile.TemporaryDirectory() as place:
            check_root(place, older, debs, version)
        with tempfile.TemporaryDirectory() as place:
            check_release(place, debs)
        with tempfile.TemporaryDirectory() as place:
            check_container(command, place)


main()
