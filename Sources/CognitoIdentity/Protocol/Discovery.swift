internal import TokenSecurityEncodings

/// What an identity pool's tokens are verified with, as others find it.
extension IdentityPoolService {
  /// The provider's description of itself (OpenID Connect Discovery 1.0 section 3), for a service at `base`.
  ///
  /// The issuer is what tokens say; the keys are where this service is.
  public func discovery(base: String) -> [UInt8] {
    let description: JSONObject = [
      "issuer": .string(settings.issuer), "jwks_uri": .string(base + "/.well-known/jwks_uri"),
      "authorization_endpoint": .string(base + "/"), "response_types_supported": ["token"],
      "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS512"],
    ]
    return JSONWriter.write(description)
  }

  /// The answer to a refused call of the JSON protocol.
  public static func refusal(_ error: IdentityError) -> [UInt8] {
    JSONWriter.write(
      [
        "__type": .string(error.type), "message": .string(error.publicMessage),
        "code": .string(error.codeText),
      ]
        as JSONObject)
  }
}
