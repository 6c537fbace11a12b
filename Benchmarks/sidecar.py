#!/usr/bin/env python3
"""Requests per second through nginx: alone, with auth_request to a fixed answer, and with the sidecar.

    .venv/bin/python Benchmarks/sidecar.py [ROUNDS]

Needs nginx, wrk and the optimised programs of `make static` and `make instructions`. The rounds alternate; medians and ratios of one run are printed
as a table for docs/speed.md.
"""
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/Interop"))
import sidecar_support  # noqa: E402

SERVERS = """
    location /alone/ { return 200 "ok"; }
    location /fixed/ { auth_request /_fixed; proxy_pass http://127.0.0.1:PORT/alone/; }
    location /sidecar/ { auth_request /_sidecar; proxy_pass http://127.0.0.1:PORT/alone/; }
    location /proxied/ { proxy_pass http://127.0.0.1:PORT/alone/; }
    location = /_fixed { internal; return 204; }
    location = /_sidecar {
      internal;
      proxy_pass http://sidecar/route/api;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Connection "";
      proxy_http_version 1.1;
    }
"""
NAMES = {
    "proxied": "nginx alone", "fixed": "auth_request to a fixed answer of nginx", "sidecar": "auth_request to the sidecar"}


def load(url, token):
    out = subprocess.run(
        ["wrk", "-t1", "-c32", "-d4", "--latency", "-H", f"Authorization: Bearer {token}", url], capture_output=True, text=True, timeout=60).stdout
    assert "Non-2xx" not in out, out
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sidecar_support.PROGRAM = HERE.parent / ".build-optimized/release/verify-token"
    issuer = sidecar_support.Issuer()
    with tempfile.TemporaryDirectory() as folder:
        routes = {"api": {"policy": "users", "headers": {"X-User": "sub"}}}
        sidecar = sidecar_support.Sidecar(folder, issuer, routes, log_level="info")
        port = sidecar_support.free_port()
        upstream = f"upstream sidecar {{ server unix:{sidecar.socket}; keepalive 32; }}"
        nginx = sidecar_support.Nginx(folder, SERVERS.replace("PORT", str(port)), port, outer=upstream)
        try:
            token = issuer.token(lifetime=3_600)
            found = {name: [] for name in NAMES}
            for _ in range(rounds):
                for name in NAMES:
                    found[name].append(load(f"http://127.0.0.1:{nginx.port}/{name}/", token))
        finally:
            nginx.stop()
            sidecar.stop()
            issuer.server.stop()
    print("| through nginx | requests per second | of nginx alone | p99, milliseconds |\n|---|---:|---:|---:|")
    alone = statistics.median(rate for rate, _ in found["proxied"])
    for name, text in NAMES.items():
        rate = statistics.median(rate for rate, _ in found[name])
        late = statistics.median(late for _, late in found[name])
        print(f"| {text} | {rate:,.0f} | {rate / alone:.2f} | {late:.2f} |")


main()
