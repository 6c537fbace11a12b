"""What the demonstration does with boto3: tokens of users, credentials, and calls of the API.

    users.py token SERVICE POOL NAME           prints a user's identity and token, as a backend hands them out
    users.py credentials SERVICE < TOKEN       prints credentials as shell commands
    users.py put API KEY TEXT                  puts an object with the credentials of the environment
    users.py get API KEY                       gets one

PROVIDER in the environment is the pool's developer provider, login.demo.app if it is absent.
"""
import os
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError


def client(name, address, **more):
    return boto3.client(name, endpoint_url=address, config=Config(retries={"max_attempts": 0}, **more))


def call(address, method, **arguments):
    options = {"s3": {"addressing_style": "path"}, "request_checksum_calculation": "when_required"}
    try:
        found = getattr(client("s3", address, **options), method)(Bucket="files", **arguments)
        return "200 " + (found["Body"].read().decode() if "Body" in found else "")
    except ClientError as error:
        headers = error.response["ResponseMetadata"]["HTTPHeaders"]
        return f"{error.response['ResponseMetadata']['HTTPStatusCode']} {headers.get('x-amzn-errortype', '')}"


what, address, *words = sys.argv[1:]
if what == "token":
    found = client("cognito-identity", address).get_open_id_token_for_developer_identity(
        IdentityPoolId=words[0], Logins={os.environ.get("PROVIDER", "login.demo.app"): words[1]})
    print(found["IdentityId"], found["Token"])
elif what == "credentials":
    service = client("cognito-identity", address)
    identity, token = sys.stdin.read().split()
    found = service.get_credentials_for_identity(
        IdentityId=identity, Logins={"cognito-identity.amazonaws.com": token})["Credentials"]
    print(f"export AWS_ACCESS_KEY_ID={found['AccessKeyId']} AWS_SECRET_ACCESS_KEY={found['SecretKey']}")
    print(f"export AWS_SESSION_TOKEN={found['SessionToken']}")
elif what == "put":
    print(call(address, "put_object", Key=words[0], Body=words[1].encode()))
else:
    print(call(address, "get_object", Key=words[0]))
