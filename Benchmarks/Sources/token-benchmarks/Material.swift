import Foundation
import JOSE

/// Common input of all contenders: one token of Cognito's shape for each algorithm, its key in the forms that
/// they read, and the parts that a bare primitive needs.
struct Material {
  let algorithm: Algorithm
  let key: JWK
  let token: String
  let signingInput: [UInt8]
  let signature: [UInt8]
  let publicPEM: String
  let secret: [UInt8]

  static let issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"
  static let client = "1h57kf5cpq17m0eml12EXAMPLE"

  init(_ algorithm: Algorithm) throws {
    self.algorithm = algorithm
    key = try JWK.generate(algorithm, keyID: "Zk5uY2hRb3JtV2lXcTdFd0tqTnZUeUxhUGdTZEhmMUo=")
    var claims = TokenClaims(issuer: Self.issuer, subject: "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53")
    claims["cognito:groups"] = ["editors", "admins"]
    claims["client_id"] = .string(Self.client)
    claims["origin_jti"] = "5e3b0f0c-8a4d-4d2b-b1f6-93c7a9e0d412"
    claims["token_use"] = "access"
    claims["scope"] = "aws.cognito.signin.user.admin openid profile"
    claims["auth_time"] = .number(JSONNumber(NumericDate.now.seconds))
    claims["jti"] = "b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046"
    claims["username"] = "jane"
    token = try TokenSigner(key: key, type: nil).issue(claims, lifetime: .seconds(3_600))
    let end = token.lastIndex(of: ".") ?? token.endIndex
    signingInput = Array(token[..<end].utf8)
    signature = Self.decode(String(token[token.index(after: end)...]))
    publicPEM = (try? key.publicPEM()) ?? ""
    if key.kind == .symmetric {
      let json = try key.privateJWK().withBytes { span in
        var bytes: [UInt8] = []
        for index in span.indices { bytes.append(span[index]) }
        return try JSONValue(parsing: bytes)
      }
      secret = Self.decode(json.object?["k"]?.string ?? "")
    } else {
      secret = []
    }
  }

  static func decode(_ text: String) -> [UInt8] {
    var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return [UInt8](Data(base64Encoded: text) ?? Data())
  }

  /// The signature as libcrypto takes it: DER for ECDSA.
  var librarySignature: [UInt8] {
    guard algorithm == .es256 else { return signature }
    func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var bytes = Array(bytes.drop { $0 == 0 })
      if bytes.first.map({ $0 & 0x80 != 0 }) ?? true { bytes.insert(0, at: 0) }
      return [0x02, UInt8(bytes.count)] + bytes
    }
    let body = integer(signature[..<32]) + integer(signature[32...])
    return [0x30, UInt8(body.count)] + body
  }
}
