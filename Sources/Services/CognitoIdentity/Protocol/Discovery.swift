internal import TokenSecurityBase

extension IdentityPoolService {
  /// Returns the OpenID provider metadata (OpenID Connect Discovery 1.0 section 3).
  ///
  /// `issuer` is the issuer of tokens; `jwks_uri` is an address of this service.
  ///
  /// - Parameter base: the service's address without a trailing slash.
  /// - Returns: the document's JSON.
  public func discovery(base: String) -> [UInt8] {
    let description: JSONObject = [
      "issuer": .string(settings.issuer), "jwks_uri": .string(base + "/.well-known/jwks_uri"),
      "authorization_endpoint": .string(base + "/"), "response_types_supported": ["token"],
      "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS512"],
    ]
    return JSONWriter.write(description)
  }
}
