internal import JOSE
internal import TokenSecurityBase

/// Where an issuer's keys are: the member `keys`.
enum KeySource {
  /// Where the issuer's profile says.
  case profile
  /// They were passed beside the document.
  case given(JWKSet)
  /// At a URL.
  case address(KeySetLocation)

  /// Reads `keys`: absent, `"given"` or `{"jwks_uri": "https://…"}`.
  init(_ issuer: inout DocumentObject, given: JWKSet?) throws(PolicyDocumentError) {
    guard let value = issuer.value("keys") else {
      self = .profile
      return
    }
    if value.string == "given" {
      guard let given else {
        throw issuer.refused(
          "keys", "are \"given\", but no keys were given; an address is {\"jwks_uri\": \"https://…\"}")
      }
      self = .given(given)
      return
    }
    guard var object = try issuer.object("keys") else { throw issuer.refused("keys", "is required") }
    let text = try object.requiredText("jwks_uri")
    try object.refuseOthers()
    do throws(OpenIDError) { self = .address(try KeySetLocation.address(text)) } catch {
      throw .issuer(error)
    }
  }

  /// The keys, if they are not where the profile says.
  var keys: TrustedIssuer.Keys? {
    switch self {
    case .profile: nil
    case .given(let set): .fixed(set)
    case .address(let location): .remote(location)
    }
  }
}
