@testable internal import CognitoUserPoolClient
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A pool as a value.
@Suite struct PoolTests {
  @Test func theIDDeterminesRegionEndpointAndIssuer() throws {
    let pool = try UserPool(id: "eu-west-1_Example01", clientID: "client1")
    #expect(pool.region == "eu-west-1" && pool.client.id == "client1" && !pool.client.hasSecret)
    #expect(pool.endpoint.address == "https://cognito-idp.eu-west-1.amazonaws.com")
    #expect(pool.issuer == "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01")
    let china = try UserPool(id: "cn-north-1_Example01", clientID: "client1")
    #expect(china.endpoint.address == "https://cognito-idp.cn-north-1.amazonaws.com.cn")
  }

  @Test func anotherServiceHasItsAddress() throws {
    let pool = try UserPool(
      id: "eu-west-1_Example01", clientID: "client1", clientSecret: SecretBytes("secret".utf8.span),
      endpoint: UserPoolEndpoint(address: "http://127.0.0.1:8080"))
    #expect(pool.client.hasSecret)
    #expect(pool.issuer == "http://127.0.0.1:8080/eu-west-1_Example01")
    let named = try UserPool(id: "eu-west-1_Example01", clientID: "client1", issuer: "https://users.example")
    #expect(named.issuer == "https://users.example")
    #expect(named.endpoint.address == "https://cognito-idp.eu-west-1.amazonaws.com")
  }

  /// The pool's second issuer has keys of its own at AWS, however the endpoint is written.
  @Test(arguments: [
    ("https://cognito-idp.eu-west-1.amazonaws.com", true),
    ("https://COGNITO-IDP.eu-west-1.amazonaws.com:443", true),
    ("https://cognito-idp.cn-north-1.amazonaws.com.cn", true),
    ("https://cognito-idp.cn-north-1.amazonaws.com", false),
    ("https://cognito-idp.eu-west-1.amazonaws.com:8443", false),
    ("https://cognito-idp.eu-west-1.amazonaws.com.example", false), ("https://users.example", false),
    ("https://localhost", false), ("http://127.0.0.1:8080", false),
  ])
  func anAddressCanBeThatOfAWS(_ address: String, _ isAWS: Bool) throws {
    #expect(try UserPoolEndpoint(address: address).isAWS == isAWS)
  }

  @Test func endpointsAreEqualByTheirAddress() throws {
    #expect(
      try UserPoolEndpoint(region: "eu-west-1")
        == UserPoolEndpoint(address: "https://cognito-idp.eu-west-1.amazonaws.com"))
  }

  @Test(arguments: [
    ("eu-west-1", "client1", "https://example.com"), ("eu-west-1_Example01", "", "https://example.com"),
    ("eu-west-1_Example01", "a b", "https://example.com"),
    ("eu-west-1_Example01", "client1", "http://example.com"),
    ("eu-west-1_Example01", "client1", "https://example.com/"),
    ("eu-west-1_Example01", "client1", "https://user@example.com"),
  ])
  func invalidSettingsAreRefused(id: String, clientID: String, address: String) {
    #expect {
      try UserPool(id: id, clientID: clientID, endpoint: UserPoolEndpoint(address: address))
    } throws: {
      ($0 as? UserPoolClientError)?.code == .configurationInvalid
    }
  }

  @Test func aSecretThatIsNoTextIsRefused() {
    #expect {
      try UserPool(
        id: "eu-west-1_Example01", clientID: "client1", clientSecret: SecretBytes([0xFF, 0xFE].span))
    } throws: {
      ($0 as? UserPoolClientError)?.code == .configurationInvalid
    }
    #expect { try UserPoolEndpoint(region: "nowhere") } throws: {
      ($0 as? UserPoolClientError)?.code == .configurationInvalid
    }
  }
}
