"""User pools on two nodes with one PostgreSQL database: what serves once serves once on all of them."""
import concurrent.futures
import functools

import pyotp
import pytest
import requests
from botocore.exceptions import ClientError
from pycognito.aws_srp import AWSSRP

from postgresql_support import PostgreSQL
from test_nodes import Node, master_key
from user_pool_support import PASSWORD, UserPools, code
from waiting import LIMIT, eventually


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    """Two nodes, a pool with software tokens and a client. The second one sends the same messages to another file."""
    database = PostgreSQL()
    folder = tmp_path_factory.mktemp("user-pool-nodes")
    made = []
    try:
        key = master_key(folder)
        make = functools.partial(Node, database, key)
        first = UserPools(folder / "first", service=lambda _, *options, **more: make(*options, **more))
        made.append(first)
        second = UserPools(folder / "second", service=lambda _, *options, **more: make(*options, key=first.service.key, **more))
        made.append(second)
        first.pool_id = second.pool_id = first.pool()
        first.admin.set_user_pool_mfa_config(
            UserPoolId=first.pool_id, SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="OPTIONAL")
        first.client_id = second.client_id = first.client(first.pool_id)
        yield first, second
        for node in made:
            assert node.stop() == 0
    finally:
        database.remove()


def srp(node, name, password=PASSWORD):
    return AWSSRP(username=name, password=password, pool_id=node.pool_id, client_id=node.client_id, client=node.public)


def proven(node, name, helper):
    """The answer to PASSWORD_VERIFIER, which can be sent to any node."""
    challenge = node.public.initiate_auth(ClientId=node.client_id, AuthFlow="USER_SRP_AUTH", AuthParameters=helper.get_auth_params())
    return {
        "ClientId": node.client_id, "ChallengeName": "PASSWORD_VERIFIER",
        "ChallengeResponses": helper.process_challenge(challenge["ChallengeParameters"], helper.get_auth_params())}


def test_a_sign_in_goes_on_at_the_other_node(nodes):
    first, second = nodes
    name = first.user(first.pool_id)
    answer = second.public.respond_to_auth_challenge(**proven(first, name, srp(first, name)))
    access = answer["AuthenticationResult"]["AccessToken"]
    assert first.public.get_user(AccessToken=access)["Username"] == name


def test_a_proof_serves_once_on_both_nodes(nodes):
    first, second = nodes
    name = first.user(first.pool_id)
    request = proven(first, name, srp(first, name))
    assert first.public.respond_to_auth_challenge(**request)["AuthenticationResult"]
    for node in (second, first, second):
        with pytest.raises(ClientError) as refused:
            node.public.respond_to_auth_challenge(**request)
        assert code(refused) == "NotAuthorizedException"


def test_of_many_copies_at_once_one_succeeds(nodes):
    first, _ = nodes
    name = first.user(first.pool_id)
    request = proven(first, name, srp(first, name))

    def send(node):
        try:
            return bool(node.public.respond_to_auth_challenge(**request)["AuthenticationResult"])
        except ClientError as error:
            assert error.response["Error"]["Code"] in ("NotAuthorizedException", "TooManyRequestsException")
            return False

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(send, list(nodes) * 8)) == 1


def test_a_code_of_a_software_token_serves_once_on_both_nodes(nodes):
    first, second = nodes
    name = first.user(first.pool_id)
    access = first.sign_in(first.client_id, name)["AccessToken"]
    token = pyotp.TOTP(first.public.associate_software_token(AccessToken=access)["SecretCode"])
    number = token.now()
    assert second.public.verify_software_token(AccessToken=access, UserCode=number)["Status"] == "SUCCESS"
    first.public.set_user_mfa_preference(AccessToken=access, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True})
    challenge = second.public.initiate_auth(
        ClientId=first.client_id, AuthFlow="USER_PASSWORD_AUTH", AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD})
    for node in nodes:
        with pytest.raises(ClientError) as refused:
            node.public.respond_to_auth_challenge(
                ClientId=first.client_id, ChallengeName="SOFTWARE_TOKEN_MFA", Session=challenge["Session"],
                ChallengeResponses={"USERNAME": name, "SOFTWARE_TOKEN_MFA_CODE": number})
        assert code(refused) == "ExpiredCodeException"


def test_sign_ins_end_on_both_nodes(nodes):
    first, second = nodes
    name = first.user(first.pool_id)
    one, other = first.sign_in(first.client_id, name), second.sign_in(first.client_id, name)
    first.public.revoke_token(ClientId=first.client_id, Token=one["RefreshToken"])
    with pytest.raises(ClientError) as refused:
        second.public.get_user(AccessToken=one["AccessToken"])
    assert code(refused) == "NotAuthorizedException"
    assert first.public.get_user(AccessToken=other["AccessToken"])["Username"] == name
    second.public.global_sign_out(AccessToken=other["AccessToken"])
    with pytest.raises(ClientError) as refused:
        first.public.initiate_auth(
            ClientId=first.client_id, AuthFlow="REFRESH_TOKEN_AUTH", AuthParameters={"REFRESH_TOKEN": other["RefreshToken"]})
    assert code(refused) == "NotAuthorizedException"


def test_wrong_passwords_count_on_both_nodes(nodes):
    first, second = nodes
    name = first.user(first.pool_id)
    messages = []
    for attempt in range(8):
        with pytest.raises(ClientError) as refused:
            nodes[attempt % 2].sign_in(first.client_id, name, "Wrong-horse-1")
        messages.append(refused.value.response["Error"]["Message"])
    assert messages[:5] == ["Incorrect username or password."] * 5
    assert "Password attempts exceeded" in messages[5:]


def test_keys_are_the_same_on_both_nodes(nodes):
    first, second = nodes
    found = [requests.get(f"{node.url}/{first.pool_id}/.well-known/jwks.json", timeout=LIMIT).json() for node in nodes]
    assert found[0] == found[1] and len(found[0]["keys"]) >= 2


def test_a_message_is_sent_once(nodes):
    first, second = nodes
    for index in range(10):
        name = f"inbox-{index}"
        nodes[index % 2].public.sign_up(
            ClientId=first.client_id, Username=name, Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": f"{name}@example.com"}])
    # This pool verifies nothing by itself, so that no message is due.
    assert not [message for node in nodes for message in node.sent() if message["destination"].startswith("inbox-")]
    pool = first.pool(AutoVerifiedAttributes=["email"])
    client = first.client(pool)
    for index in range(10):
        name = f"letter-{index}"
        nodes[index % 2].public.sign_up(
            ClientId=client, Username=name, Password=PASSWORD, UserAttributes=[{"Name": "email", "Value": f"{name}@example.com"}])

    def sent():
        return sorted(message["destination"] for node in nodes for message in node.sent() if message["destination"].startswith("letter-"))
    eventually(lambda: len(sent()) >= 10)
    assert sent() == [f"letter-{index}@example.com" for index in range(10)]
