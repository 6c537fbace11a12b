internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import TokenSecurityBase

/// Signs tokens with any claims and header, and verifies them by a policy.
enum SignedTokens {
  static let now: Int64 = 1_767_225_600

  private static let key = Result { () throws -> JWK in
    var key = try VectorKeys.rsa()
    key.keyID = "k"
    return key
  }

  /// A token with these claims; missing `exp` and `iat` are added.
  static func token(_ claims: JSONObject, type: String? = nil, header: JSONObject = [:]) throws -> String {
    var claims = claims
    if claims["iat"] == nil { claims["iat"] = .number(JSONNumber(now - 60)) }
    if claims["exp"] == nil { claims["exp"] = .number(JSONNumber(now + 600)) }
    var header = header
    if let type { header["typ"] = .string(type) }
    return try token(payload: JSONValue.object(claims).description, header: header)
  }

  static func token(payload: String, header: JSONObject = [:]) throws -> String {
    try JWSSigner(key: key.get(), algorithm: .rs256).sign(Array(payload.utf8), header: header)
  }

  /// The error code of the token, or nil if it is valid.
  static func code(_ token: String, _ policy: TokenPolicy) throws -> String? {
    let verifier = try TokenVerifier(keys: JWKSet(key.get()), policy: policy)
    let at = NumericDate(seconds: now)
    let explained = verifier.explain(token, at: at)
    do throws(JOSEError) {
      let verified = try verifier.verify(token, at: at)
      guard case .success(verified) = explained.result else { return "explained otherwise" }
      return nil
    } catch {
      guard case .failure(error) = explained.result else { return "explained otherwise" }
      return error.codeText
    }
  }

  static func verified(_ token: String, _ policy: TokenPolicy) throws -> VerifiedToken {
    try TokenVerifier(keys: JWKSet(key.get()), policy: policy).verify(token, at: NumericDate(seconds: now))
  }
}

extension JSONObject {
  /// The object with some members replaced; a member that becomes `null` is removed.
  func with(_ changes: JSONObject) -> JSONObject {
    var object = self
    for member in changes.members {
      object[member.name] = member.value == .null ? Optional<JSONValue>.none : .some(member.value)
    }
    return object
  }
}
