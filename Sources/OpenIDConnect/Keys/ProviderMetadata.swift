public import HTTPExchange
public import JOSE
internal import TokenSecurityEncodings

/// What an OpenID provider says of itself (OpenID Connect Discovery 1.0 section 3).
public struct ProviderMetadata: Sendable, Hashable {
  /// `issuer`, byte for byte the one that was asked for.
  public let issuer: String
  /// `jwks_uri`, where its keys are.
  public let keySetAddress: HTTPURL
  /// `id_token_signing_alg_values_supported`, as far as they are known here.
  public let idTokenAlgorithms: [Algorithm]
  /// All members, these three among them.
  public let members: JSONObject

  /// Where `issuer` describes itself (section 4): its address without a slash at the end, and
  /// `/.well-known/openid-configuration`.
  ///
  /// - Throws: `addressInvalid` where the issuer is no address, or has a query.
  public static func address(issuer: String) throws(OpenIDError) -> HTTPURL {
    let address = try HTTPURL(openID: issuer)
    guard address.query == nil else {
      throw .addressInvalid(.addressInvalid(issuer, rule: "an issuer has no query"))
    }
    return try HTTPURL(
      openID: (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
        + "/.well-known/openid-configuration")
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - body: the answer's body.
  ///   - issuer: the issuer that was asked for. The description must be of this one (section 4.3).
  public init(_ body: [UInt8], issuer: String) throws(FetchError) {
    let value: JSONValue
    do { value = try JSONValue(parsing: body) } catch {
      throw .metadata(rule: "it is no acceptable JSON: \(error)")
    }
    guard let object = value.object else { throw .metadata(rule: "it is no JSON object") }
    guard let found = object["issuer"]?.string else { throw .metadata(rule: "it has no \"issuer\"") }
    guard found == issuer else {
      throw .metadataIssuer(expected: issuer, actual: found)
    }
    guard let keys = object["jwks_uri"]?.string else { throw .metadata(rule: "it has no \"jwks_uri\"") }
    do { keySetAddress = try HTTPURL(keys) } catch {
      throw .metadata(rule: "its \"jwks_uri\" is no address")
    }
    self.issuer = issuer
    idTokenAlgorithms = (object["id_token_signing_alg_values_supported"]?.strings ?? [])
      .compactMap(Algorithm.init(name:))
    members = object
  }
}
