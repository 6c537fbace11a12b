internal import Testing
internal import TokenSecurityBase
@testable internal import CognitoIdentityClient

/// The name of the login to which an ID token belongs.
@Suite struct IDTokenTests {
  private func token(_ claims: String) -> String { "e30.\(Base64URL.string(Array(claims.utf8))).c2ln" }

  @Test(arguments: [
    (#"{"iss":"https://accounts.google.com"}"#, "accounts.google.com"),
    (#"{"iss":"accounts.google.com"}"#, "accounts.google.com"),
    (#"{"iss":"https://login.example/tenant"}"#, "login.example/tenant"),
    (
      #"{"iss":"https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc","token_use":"id"}"#,
      "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc"
    ),
    (
      #"{"iss":"https://issuer-cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc","token_use":"id"}"#,
      "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc"
    ),
    (
      #"{"iss":"http://127.0.0.1:8080/us-east-1_Abc","token_use":"id"}"#,
      "cognito-idp.us-east-1.amazonaws.com/us-east-1_Abc"
    ),
    (
      #"{"iss":"https://id.example/cn-north-1_Abc","token_use":"id"}"#,
      "cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_Abc"
    ),
    (#"{"iss":"https://login.example/us-east-1_Abc"}"#, "login.example/us-east-1_Abc"),
  ])
  func names(_ claims: String, name: String) {
    #expect(IdentityCalls.loginName(ofIDToken: token(claims)) == name)
  }

  @Test(arguments: [
    "", "EAAB|opaque", "a.b", "a.b.c.d", "e30.e30.c2ln", "e30.bm90IGpzb24.c2ln", "e30.*.c2ln",
  ])
  func others(_ text: String) {
    #expect(IdentityCalls.loginName(ofIDToken: text) == nil)
  }

  @Test func claimsWithoutAnIssuer() {
    for claims in [#"{"iss":""}"#, #"{"iss":"https://"}"#, #"{"iss":7}"#, "[]"] {
      #expect(IdentityCalls.loginName(ofIDToken: token(claims)) == nil)
    }
    let long = token(#"{"iss":"https://a.example","x":"\#(String(repeating: "x", count: 50_000))"}"#)
    #expect(IdentityCalls.loginName(ofIDToken: long) == nil)
  }
}
