internal import Foundation
internal import JOSE
internal import Testing
internal import TimestampFoundation

@Suite struct TokenClaimsTests {
  struct Own: Decodable {
    let groups: [String]
    let expires: Date
    let issued: NumericDate
    let version: Int
    let scope: String?

    enum CodingKeys: String, CodingKey {
      case groups = "cognito:groups"
      case expires = "exp"
      case issued = "iat"
      case version
      case scope
    }
  }

  private func token(_ claims: TokenClaims) throws -> UnverifiedToken {
    try UnverifiedToken(TokenSigner(key: JWK.generate(.hs256)).sign(claims))
  }

  @Test func decodesIntoACallersType() throws {
    var claims = TokenClaims(issuer: "i")
    claims["cognito:groups"] = ["a", "b"]
    claims["exp"] = try JSONValue(parsing: "1700000000.25")
    claims["iat"] = 1_700_000_000
    claims["version"] = 2
    let own = try token(claims).claims.decode(Own.self)
    #expect(own.groups == ["a", "b"])
    #expect(own.expires == Date(timeIntervalSince1970: 1_700_000_000.25))
    #expect(own.issued == NumericDate(seconds: 1_700_000_000))
    #expect(own.version == 2)
    #expect(own.scope == nil)
    claims["exp"] = "soon"
    #expect(throws: DecodingError.self) { try claims.decode(Own.self) }
    claims["exp"] = try JSONValue(parsing: "1e400")
    #expect(throws: DecodingError.self) { try claims.decode(Own.self) }
  }

  @Test func readAndBuiltClaimsAreTheSame() throws {
    let built = TokenClaims(issuer: "i", subject: "s", audience: ["a", "b"], tokenID: "j")
    let read = try token(built).claims
    #expect(read == built)
    #expect(read.hashValue == built.hashValue)
    #expect(read.audience == ["a", "b"])
    #expect(read["sub"] == "s")
    #expect(read["absent"] == nil)
    var changed = read
    changed["sub"] = nil
    #expect(changed.subject == nil)
    #expect(read.subject == "s")
  }

  @Test func wrongTypesReadAsAbsent() throws {
    let claims = TokenClaims(
      try #require(try JSONValue(parsing: #"{"iss":1,"aud":[1],"exp":"x","jti":null}"#).object))
    #expect(claims.issuer == nil)
    #expect(claims.audience == nil)
    #expect(claims.expiration == nil)
    #expect(claims.tokenID == nil)
  }
}
