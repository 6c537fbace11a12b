"""What the tests of user pools' clients share: a service at its own issuer, a pool with a client, fresh addresses."""
import secrets

from ports import free_port
from user_pool_support import FLOWS, PASSWORD, UserPools

NEW_PASSWORD = "Battery-staple-8"
SMS = {"SnsCallerArn": "arn:aws:iam::123456789012:role/sms", "ExternalId": "tests"}


def email():
    return f"jane.{secrets.token_hex(4)}@example.com"


def phone():
    return f"+1206555{secrets.randbelow(10_000):04}"


class OwnIssuer(UserPools):
    """A service whose issuer of user pools is its own address, as pycognito demands."""

    def __init__(self, folder, *options):
        port = free_port()
        super().__init__(folder, "--port", port, "--user-pool-issuer", f"http://127.0.0.1:{port}", "--rate", 0, *options)


class Pool:
    """A pool and a client of it."""

    def __init__(self, pools, secret=False, **settings):
        self.pools, self.admin = pools, pools.admin
        self.id = pools.pool(**settings)
        made = self.admin.create_user_pool_client(
            UserPoolId=self.id, ClientName="app", GenerateSecret=secret, ExplicitAuthFlows=FLOWS)["UserPoolClient"]
        self.client_id, self.secret = made["ClientId"], made.get("ClientSecret")

    def add_user(self, name, password=PASSWORD, **attributes):
        self.pools.user(self.id, name, password, **attributes)
        return self.admin.admin_get_user(UserPoolId=self.id, Username=name)["Username"]

    def factors(self, mode="OPTIONAL"):
        """Allows software tokens and codes by SMS."""
        self.admin.set_user_pool_mfa_config(
            UserPoolId=self.id, MfaConfiguration=mode, SoftwareTokenMfaConfiguration={"Enabled": True},
            SmsMfaConfiguration={"SmsConfiguration": SMS})
