public import HTTPExchange
public import JOSE
internal import TokenSecurityBase

/// The metadata of an OpenID provider (OpenID Connect Discovery 1.0 section 3).
public struct ProviderMetadata: Sendable, Hashable {
  /// `issuer`, byte for byte the expected one.
  public let issuer: String
  /// `jwks_uri`, the location of the keys.
  public let keySetAddress: HTTPURL
  /// `id_token_signing_alg_values_supported`, without unknown algorithms.
  public let idTokenAlgorithms: [Algorithm]
  /// All members of the document.
  public let members: JSONObject

  /// The URL of an issuer's metadata (section 4): the issuer without a trailing slash, and
  /// `/.well-known/openid-configuration`.
  ///
  /// - Parameter issuer: the issuer.
  /// - Returns: the URL.
  /// - Throws: `addressInvalid` if the issuer is not a URL, or has a query.
  public static func address(issuer: String) throws(OpenIDError) -> HTTPURL {
    let address = try HTTPURL(openID: issuer)
    guard address.query == nil else {
      throw .addressInvalid(.addressInvalid(issuer, rule: "an issuer has no query"))
    }
    return try HTTPURL(
      openID: (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer)
        + "/.well-known/openid-configuration")
  }

  /// Parses the metadata.
  ///
  /// - Parameters:
  ///   - body: the body of the response.
  ///   - issuer: the expected issuer (section 4.3).
  /// - Throws: `metadata` or `metadataIssuer`.
  public init(_ body: [UInt8], issuer: String) throws(FetchError) {
    let value: JSONValue
    do { value = try JSONValue(parsing: body) } catch {
      throw .metadata(rule: "it is not valid JSON: \(error)")
    }
    guard let object = value.object else { throw .metadata(rule: "it is not a JSON object") }
    guard let actual = object["issuer"]?.string else { throw .metadata(rule: "it has no \"issuer\"") }
    guard actual == issuer else { throw .metadataIssuer(expected: issuer, actual: actual) }
    guard let keys = object["jwks_uri"]?.string else { throw .metadata(rule: "it has no \"jwks_uri\"") }
    do { keySetAddress = try HTTPURL(keys) } catch {
      throw .metadata(rule: "its \"jwks_uri\" is not a URL")
    }
    self.issuer = issuer
    idTokenAlgorithms = (object["id_token_signing_alg_values_supported"]?.strings ?? [])
      .compactMap(Algorithm.init(name:))
    members = object
  }
}
