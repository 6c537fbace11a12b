internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// The issuers and addresses that follow from the id of a user pool, identity pool, load balancer or tenant.
@Suite struct IdentifierTests {
  @Test(arguments: [
    ("eu-west-1_Example01", "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"),
    ("us-east-1_A", "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_A"),
    ("ap-southeast-2_x9", "https://cognito-idp.ap-southeast-2.amazonaws.com/ap-southeast-2_x9"),
    ("cn-northwest-1_x9", "https://cognito-idp.cn-northwest-1.amazonaws.com.cn/cn-northwest-1_x9"),
    ("us-gov-east-1_x9", "https://cognito-idp.us-gov-east-1.amazonaws.com/us-gov-east-1_x9"),
  ])
  func userPoolIDs(_ id: String, _ issuer: String) throws {
    let pool = try CognitoUserPoolIssuer(id)
    #expect(pool.issuer == issuer)
    #expect(try pool.keys == .address(HTTPURL(issuer + "/.well-known/jwks.json")))
  }

  @Test(arguments: [
    ("us-east-1", "https://cognito-identity.amazonaws.com"),
    ("eu-west-1", "https://cognito-identity.amazonaws.com"),
    ("cn-north-1", "https://cognito-identity.cn-north-1.amazonaws.com.cn"),
    ("us-gov-west-1", "https://cognito-identity-us-gov.amazonaws.com"),
    ("us-gov-east-1", "https://cognito-identity.us-gov-east-1.amazonaws.com"),
  ])
  func identityPoolIDs(_ region: String, _ issuer: String) throws {
    let pool = try CognitoIdentityPool(region + ":0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53")
    #expect(pool.issuer == issuer)
    #expect(pool.region.description == region)
  }

  @Test(arguments: [
    "", "_", "eu-west-1", "eu-west-1_", "eu-west-1_a b", "eu-west-1_a_b", "eu_west_1_a", "euwest1_a",
    "eu-west_a",
    "EU-WEST-1_a", "eu-west-1_é", "eu-west-1_a/../b", "us-iso-east-1_a", "eusc-de-east-1_a", "-west-1_a",
    "eu-west-x_a",
    "evil.example/eu-west-1_a", "eu-west-1_" + String(repeating: "a", count: 46),
  ])
  func invalidUserPoolIDsAreRefused(_ id: String) {
    #expect { try CognitoUserPoolIssuer(id) } throws: {
      ($0 as? OpenIDError)?.codeText == "identifier_invalid"
    }
  }

  @Test(arguments: [
    "", "us-east-1", "us-east-1:", "us-east-1:x", "us-east-1:0D1C6E2A-5B7F-4C39-9A84-2F6BE1D07C53",
    "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53:x", "us-east-1:0d1c6e2a5b7f4c399a842f6be1d07c53",
    "us-iso-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53",
  ])
  func invalidIdentityPoolIDsAreRefused(_ id: String) {
    #expect { try CognitoIdentityPool(id) } throws: { ($0 as? OpenIDError)?.codeText == "identifier_invalid" }
  }

  @Test(arguments: [
    ("aws", "eu-west-1", "https://public-keys.auth.elb.eu-west-1.amazonaws.com/"),
    ("aws-cn", "cn-north-1", "https://public-keys.auth.elb.cn-north-1.amazonaws.com.cn/"),
    (
      "aws-us-gov", "us-gov-west-1",
      "https://s3-us-gov-west-1.amazonaws.com/aws-elb-public-keys-prod-us-gov-west-1/"
    ),
  ])
  func loadBalancerARNs(_ partition: String, _ region: String, _ address: String) throws {
    let arn =
      "arn:\(partition):elasticloadbalancing:\(region):123456789012:loadbalancer/app/web/50dc6c495c0c9188"
    #expect(try LoadBalancer(arn: arn).keysAddress == address)
  }

  @Test(arguments: [
    "", "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/net/web/50dc6c495c0c9188",
    "arn:aws:elasticloadbalancing:eu-west-1:12345678901:loadbalancer/app/web/50dc6c495c0c9188",
    "arn:aws-cn:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188",
    "arn:aws:ec2:eu-west-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188",
    "arn:aws:elasticloadbalancing:evil.example:123456789012:loadbalancer/app/web/50dc6c495c0c9188",
    "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/web",
    "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app//x:y",
  ])
  func invalidLoadBalancerARNsAreRefused(_ arn: String) {
    #expect { try LoadBalancer(arn: arn) } throws: { ($0 as? OpenIDError)?.codeText == "identifier_invalid" }
  }

  @Test(arguments: [
    "", "common", "organizations", "9188040d-6c67-4c5b-b112-36a304b66da",
    "9188040D-6C67-4C5B-B112-36A304B66DAD",
  ])
  func tenantsAreNamed(_ tenant: String) {
    #expect { try TrustedIssuer.microsoftEntra(tenant: tenant, clientIDs: ["x"]) } throws: {
      ($0 as? OpenIDError)?.codeText == "identifier_invalid"
    }
  }
}
