#!/bin/bash
# Surprise: nginx refuses an upload that waits for "100 Continue" and keeps the connection open for the body; boto3 sends no body after the refusal and uses the connection again, so that its next call gets 400 or waits.
# Packages: Debian 12 nginx 1.22.1, PyPI boto3 1.43.117.
# Why it matters: behind an nginx that asks another server about each request, one refused put_object breaks the next call of the same client, whatever that is. `keepalive_timeout 0` where the refusal is answered mends it.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
chmod 755 "$T"
die() { echo "NOT RUN: $*"; exit 3; }
PATH="$PATH:/usr/sbin:$T/root/usr/sbin"
command -v nginx >/dev/null || { (apt-get -qq update; apt-get -qq download nginx) >/dev/null 2>&1 || die "no nginx"; mkdir root; dpkg-deb -x nginx_*.deb root; }
echo "version: $(nginx -v 2>&1)"
python3 -m venv v && v/bin/pip -q --disable-pip-version-check install boto3==1.43.117 || die "pip failed"
echo "version: boto3 $(v/bin/python -c 'import boto3; print(boto3.__version__)')"
cat >run.py <<'P'
import pathlib, socket, subprocess, sys, time
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
folder = pathlib.Path.cwd()


def code(call, **words):
    try:
        call(**words)
        return 200
    except ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"]


def run(extra):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    (folder / "c").write_text(f"""
daemon off; pid {folder}/pid; error_log {folder}/e; events {{}}
http {{ access_log off; client_body_temp_path {folder}/a1; proxy_temp_path {folder}/a2; fastcgi_temp_path {folder}/a3;
  uwsgi_temp_path {folder}/a4; scgi_temp_path {folder}/a5;
  server {{ listen 127.0.0.1:{port};
    location / {{ auth_request /ask; error_page 403 @no; root {folder}; }}
    location @no {{ {extra} return 403; }}
    location = /ask {{ internal; return 403; }} }} }}""")
    nginx = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "c"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="a",
                          aws_secret_access_key="b", config=Config(retries={"max_attempts": 0}, s3={"addressing_style": "path"}))
        return [code(s3.put_object, Bucket="b", Key="k", Body=b"text"), code(s3.get_object, Bucket="b", Key="k"),
                code(s3.get_object, Bucket="b", Key="k")]
    finally:
        nginx.terminate()
        nginx.wait()


kept, closed = run(""), run("keepalive_timeout 0;")
print("put_object, get_object, get_object, all refused with 403:", kept)
print("the same with keepalive_timeout 0 for refusals:         ", closed)
sys.exit(0 if kept == [403, 400, 403] and closed == [403, 403, 403] else 1)
P
v/bin/python run.py || { echo "CHANGED"; exit 1; }
echo "behaviour: after the refused upload nginx takes the first bytes of the next request for the body that never came, and answers the rest with 400."
