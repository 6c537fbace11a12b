#!/bin/bash
# Surprise: aws-lambda-powertools makes the policy of an API Gateway authorizer for the partition "aws", wherever the API is: from_route_arn keeps region, account, API and stage of the request's ARN and drops its partition, though parse_api_gateway_arn reads it.
# Packages: PyPI aws-lambda-powertools 3.37.0 (November 2026).
# Why it matters: in China (aws-cn) and GovCloud (aws-us-gov) the policy allows a resource that does not exist, and API Gateway denies the request of a caller who was authorized. An authorizer there writes the resource from methodArn.
set -eu
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT; cd "$T"
die() { echo "NOT RUN: $*"; exit 3; }
# py NAME==VERSION ...: a fresh virtual environment with pinned packages.
py() {
  python3 -m venv v || die "no venv"
  v/bin/pip install -q --disable-pip-version-check "$@" >pip.txt 2>&1 || { tail -2 pip.txt; die "pip failed"; }
  for p; do echo "version: $p (PyPI), Python $(v/bin/python -c 'import platform;print(platform.python_version())')"; done
}
py aws-lambda-powertools==3.37.0
cat >check.py <<'P'
import sys
from aws_lambda_powertools.utilities.data_classes import api_gateway_authorizer_event as powertools
ok = True
for partition, region in (("aws", "eu-west-1"), ("aws-cn", "cn-north-1"), ("aws-us-gov", "us-gov-west-1")):
    arn = f"arn:{partition}:execute-api:{region}:123456789012:a1b2c3/prod/GET/orders"
    assert powertools.parse_api_gateway_arn(arn).arn == arn
    response = powertools.APIGatewayAuthorizerResponse.from_route_arn(arn, principal_id="jane")
    response.allow_route("GET", "/orders")
    [allowed] = response.asdict()["policyDocument"]["Statement"][0]["Resource"]
    print(f"{arn}\n  allowed: {allowed}")
    ok &= allowed == arn.replace(f"arn:{partition}:", "arn:aws:")
sys.exit(0 if ok else 1)
P
v/bin/python check.py || { echo "CHANGED"; exit 1; }
echo "behaviour: the resources of all three partitions begin with arn:aws:. The region is kept, so that the ARN of China names a region that its partition does not have."
