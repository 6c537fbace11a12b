#!/usr/bin/env python3
"""Requests per second through nginx, and its CPU time with that of the program that it asks: alone, with auth_request to a fixed
answer, and with the sidecar for tokens and for signed requests.

    .venv/bin/python Benchmarks/sidecar.py [ROUNDS]

Needs nginx, wrk and the optimised programs of `make static` and `make instructions`. The rounds alternate; medians and ratios of one run are printed
as a table for docs/speed.md.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Interop"))
os.environ.setdefault("TOKEN_SECURITY_PROGRAMS", str(HERE.parent / ".build-optimized/release"))
import sidecar_support  # noqa: E402
import test_sidecar_requests  # noqa: E402
from sync_support import Sync  # noqa: E402
from test_role_policies import put, statement  # noqa: E402

ASKED = """
      internal;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Original-URI $request_uri;
      proxy_http_version 1.1;
"""
SERVERS = f"""
    location /alone/ {{ return 200 "ok"; }}
    location /fixed/ {{ auth_request /_fixed; proxy_pass http://127.0.0.1:PORT/alone/; }}
    location /other/ {{ auth_request /_other; proxy_pass http://127.0.0.1:PORT/alone/; }}
    location /sidecar/ {{ auth_request /_sidecar; proxy_pass http://127.0.0.1:PORT/alone/; }}
    location /signed/ {{ auth_request /_signed; proxy_pass http://127.0.0.1:PORT/alone/; }}
    location /proxied/ {{ proxy_pass http://127.0.0.1:PORT/alone/; }}
    location = /_fixed {{ internal; return 204; }}
    location = /_other {{ proxy_pass http://other/route/api; {ASKED} }}
    location = /_sidecar {{ proxy_pass http://sidecar/route/api; {ASKED} }}
    location = /_signed {{ proxy_pass http://signed/route/api; {ASKED} }}
"""
NAMES = {
    "proxied": "nginx alone", "fixed": "auth_request to a fixed answer of nginx",
    "other": "auth_request to another nginx process that answers 204", "sidecar": "auth_request to the sidecar, a token",
    "signed": "auth_request to the sidecar, a signed request with its key kept"}
TICK = os.sysconf("SC_CLK_TCK")


def processor(processes):
    """Seconds of CPU time of processes and of their children."""
    total = 0
    for process in processes:
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for number in [str(process.pid), *children]:
            fields = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / TICK


def load(url, fields, processes):
    """Requests per second, the 99th percentile in milliseconds, and the CPU time of a request in microseconds."""
    before = processor(processes)
    headers = [word for name, value in fields.items() for word in ("-H", f"{name}: {value}")]
    out = subprocess.run(
        ["wrk", "-t1", "-c32", "-d4", "--latency", *headers, url], capture_output=True, text=True, timeout=60).stdout
    assert "Non-2xx" not in out, out
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    count = int(re.search(r"(\d+) requests in", out)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    late = float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]
    return rate, late, (processor(processes) - before) / count * 1e6


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    issuer = sidecar_support.Issuer()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for name in ("tokens", "signed", "other"):
            (pathlib.Path(folder) / name).mkdir()
        sync = Sync(folder)
        put(sync, [statement("Allow", "orders:*", "arn:aws:orders:::signed/*")])
        port = sidecar_support.free_port()
        host = f"127.0.0.1:{port}"
        sidecar = sidecar_support.Sidecar(
            folder + "/tokens", issuer, {"api": {"policy": "users", "headers": {"X-User": "sub"}}}, log_level="info")
        signed = test_sidecar_requests.Signed(folder + "/signed", sync.service, host, {"api": {
            "actions": {"GET": "orders:Read"}, "resource": "arn:aws:orders:::{path}", "headers": {"X-User": "identity_id"}}}, log_level="info")
        place = f"{folder}/other.sock"
        other = sidecar_support.Nginx(
            folder + "/other", f"listen unix:{place}; location / {{ return 204; }}")
        outer = "".join(
            f"upstream {name} {{ server unix:{at}; keepalive 32; }}\n"
            for name, at in (("sidecar", sidecar.socket), ("signed", signed.socket), ("other", place)))
        nginx = sidecar_support.Nginx(folder, SERVERS.replace("PORT", str(port)), port, outer=outer)
        try:
            token = {"Authorization": f"Bearer {issuer.token(lifetime=3_600)}"}
            user = sync.user("jane")
            asks = {"other": other, "sidecar": sidecar, "signed": signed}
            found = {name: [] for name in NAMES}
            for _ in range(rounds):
                # A signature is valid for 15 minutes.
                fields = test_sidecar_requests.signed(user, host, "/signed/")
                for name in NAMES:
                    processes = [nginx.process] + ([asks[name].process] if name in asks else [])
                    sent = token if name == "sidecar" else fields
                    found[name].append(load(f"http://{host}/{name}/", sent, processes))
        finally:
            for started in (nginx, other, sidecar, signed, sync):
                started.stop()
            issuer.server.stop()
    print("| through nginx | requests per second | of nginx alone | p99, milliseconds | CPU, microseconds | of another nginx |")
    print("|---|---:|---:|---:|---:|---:|")
    alone = statistics.median(values[0] for values in found["proxied"])
    asked = statistics.median(values[2] for values in found["other"])
    for name, text in NAMES.items():
        rate, late, cpu = (statistics.median(values) for values in zip(*found[name]))
        print(f"| {text} | {rate:,.0f} | {rate / alone:.2f} | {late:.2f} | {cpu:.1f} | {cpu / asked:.2f} |")


main()
