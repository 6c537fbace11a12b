internal import TokenSecurityEncodings
public import HTTPExchange
internal import JOSE

/// Where a key set lies.
public struct KeySetLocation: Sendable, Hashable {
  let place: Place
  let form: Form

  enum Place: Sendable, Hashable {
    case address(HTTPURL)
    /// Where the issuer's description of itself says.
    case issuer(String)
    /// Not known: there are several issuers, and nothing says whose keys are meant.
    case undetermined
  }

  enum Form: Sendable, Hashable {
    case keySet(KeyForm)
    /// One key as PEM, which is called as the token calls it.
    case pem(keyID: String)
  }

  /// A JWK set at `address`.
  public static func address(_ address: HTTPURL) -> KeySetLocation {
    KeySetLocation(place: .address(address), form: .keySet(.publicOnly))
  }

  /// A JWK set at a URL.
  ///
  /// - Parameter text: the URL.
  /// - Throws: `addressInvalid` where it is not a URL in the one form that is read.
  public static func address(_ text: String) throws(OpenIDError) -> KeySetLocation {
    .address(try HTTPURL(openID: text))
  }

  /// The JWK set that `issuer` names in its description of itself (OpenID Connect Discovery 1.0 section 4).
  public static func discovery(issuer: String) -> KeySetLocation {
    KeySetLocation(place: .issuer(issuer), form: .keySet(.publicOnly))
  }

  /// The location that stands in for one that must be given.
  static let undetermined = KeySetLocation(place: .undetermined, form: .keySet(.publicOnly))

  /// The key of a load balancer at `address`, as PEM, which tokens call `keyID`.
  package static func pem(_ address: HTTPURL, keyID: String) -> KeySetLocation {
    KeySetLocation(place: .address(address), form: .pem(keyID: keyID))
  }

  /// The same place with keys written as `form` says. Private members are not read, whatever it says.
  package func reading(_ form: KeyForm) -> KeySetLocation {
    KeySetLocation(place: place, form: .keySet(form))
  }

  /// What it is called in errors and logs.
  var name: String {
    switch place {
    case .address(let address): address.description
    case .issuer(let issuer): issuer
    case .undetermined: "several issuers"
    }
  }

  /// Reads the body of an answer. Private halves and shared keys are not read: what is published is no secret, and
  /// computing with numbers that a stranger chose has no bound.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - keyLimit: the most keys that a set may have.
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

  /// True where `response`, fetched from `address`, has keys that can be used, or the description that says where they
  /// are.
  package func accepts(_ response: TransportResponse, from address: HTTPURL, _ rules: RemoteKeySetConfiguration) -> Bool
  {
    do throws(FetchError) {
      try response.check(limit: rules.sizeLimit)
      if case .issuer(let issuer) = place, let own = try? ProviderMetadata.address(issuer: issuer),
        own == address
      {
        _ = try ProviderMetadata(response.body, issuer: issuer)
      } else {
        _ = try read(response.body, keyLimit: rules.keyLimit)
      }
      return true
    } catch {
      return false
    }
  }

  /// What is asked for.
  var mediaType: String {
    switch form {
    case .keySet: "application/jwk-set+json, application/json"
    case .pem: "application/x-pem-file, text/plain, */*"
    }
  }
}
