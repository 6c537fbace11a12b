internal import TokenSecurityBase

/// The discovery document of a pool (OpenID Connect Discovery section 3), with what the service serves: the
/// issuer, its keys and the algorithm of its tokens.
enum DiscoveryDocument {
  static func json(issuer: String, keySet: String) -> [UInt8] {
    JSONWriter.write(
      [
        "issuer": .string(issuer), "jwks_uri": .string(keySet),
        "response_types_supported": .array([]), "subject_types_supported": .array([.string("public")]),
        "id_token_signing_alg_values_supported": .array([.string("RS256")]),
      ] as JSONObject)
  }
}
