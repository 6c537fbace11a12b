public import HTTPExchange
internal import JOSE
internal import TokenSecurityBase

/// The location of a key set.
public struct KeySetLocation: Sendable, Hashable {
  let source: Source
  let form: Form

  enum Source: Sendable, Hashable {
    case address(HTTPURL)
    /// The address is in the metadata of this issuer.
    case issuer(String)
    /// Unknown: there are several issuers, and no location was given.
    case undetermined
  }

  enum Form: Sendable, Hashable {
    case keySet(KeyForm)
    /// One key as PEM. It gets the key id of the token.
    case pem(keyID: String)
  }

  /// A JWK set at this URL.
  public static func address(_ address: HTTPURL) -> KeySetLocation {
    KeySetLocation(source: .address(address), form: .keySet(.publicOnly))
  }

  /// A JWK set at a URL.
  ///
  /// - Parameter text: the URL.
  /// - Returns: the location.
  /// - Throws: `addressInvalid` if the URL is not in the accepted form.
  public static func address(_ text: String) throws(OpenIDError) -> KeySetLocation {
    .address(try HTTPURL(openID: text))
  }

  /// The JWK set of an issuer that publishes it at `/.well-known/jwks.json` below its name.
  static func belowIssuer(_ issuer: String) throws(OpenIDError) -> KeySetLocation {
    try .address(issuer + "/.well-known/jwks.json")
  }

  /// The JWK set that the issuer's metadata names (OpenID Connect Discovery 1.0 section 4).
  public static func discovery(issuer: String) -> KeySetLocation {
    KeySetLocation(source: .issuer(issuer), form: .keySet(.publicOnly))
  }

  /// A placeholder. ``OpenIDVerifier`` refuses it.
  static let undetermined = KeySetLocation(source: .undetermined, form: .keySet(.publicOnly))

  /// The PEM key of a load balancer.
  ///
  /// - Parameters:
  ///   - address: the key's URL.
  ///   - keyID: the key id in the token's header.
  /// - Returns: the location.
  package static func pem(_ address: HTTPURL, keyID: String) -> KeySetLocation {
    KeySetLocation(source: .address(address), form: .pem(keyID: keyID))
  }

  /// The same location, read as `form`. Private members are ignored in any form.
  package func reading(_ form: KeyForm) -> KeySetLocation {
    KeySetLocation(source: source, form: .keySet(form))
  }

  /// The name for errors and logs.
  var name: String {
    switch source {
    case .address(let address): address.description
    case .issuer(let issuer): issuer
    case .undetermined: "several issuers"
    }
  }

  /// Parses the body of a response. Private members and symmetric keys are ignored: a published key is no
  /// secret, and computations with private numbers from an untrusted source have no bound.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - keyLimit: the maximum number of keys.
  /// - Returns: the keys, at least one.
  /// - Throws: `unreadable`, `tooManyKeys` or `noUsableKey`.
  func read(_ body: [UInt8], keyLimit: Int) throws(FetchError) -> JWKSet {
    let set: JWKSet
    do throws(JOSEError) {
      switch form {
      case .keySet(var form):
        form.privateMembers = .ignored
        set = try JWKSet(json: body.span, form: form)
      case .pem(let keyID):
        var key = try KeyFile.pem(SecretBytes(body.span), form: .publicOnly)
        key.keyID = keyID
        set = JWKSet([key])
      }
    } catch {
      throw FetchError(error)
    }
    guard set.keys.count + set.rejected.count <= keyLimit else { throw .tooManyKeys(limit: keyLimit) }
    guard !set.keys.isEmpty else { throw .noUsableKey(refused: set.rejected.count) }
    return set
  }

  /// Returns true if a response has usable keys, or the metadata that locates them.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - address: the URL that it was fetched from.
  ///   - configuration: the limits of the key set.
  /// - Returns: whether the key set can use the response.
  package func accepts(
    _ response: TransportResponse, from address: HTTPURL, _ configuration: RemoteKeySetConfiguration
  ) -> Bool {
    do throws(FetchError) {
      try response.check(limit: configuration.sizeLimit)
      if case .issuer(let issuer) = source, let own = try? ProviderMetadata.address(issuer: issuer),
        own == address
      {
        _ = try ProviderMetadata(response.body, issuer: issuer)
      } else {
        _ = try read(response.body, keyLimit: configuration.keyLimit)
      }
      return true
    } catch {
      return false
    }
  }

  /// The value of the `Accept` header.
  var mediaType: String {
    switch form {
    case .keySet: "application/jwk-set+json, application/json"
    case .pem: "application/x-pem-file, text/plain, */*"
    }
  }
}
