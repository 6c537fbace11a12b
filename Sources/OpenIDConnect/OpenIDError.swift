internal import TokenSecurityEncodings
public import JOSE

/// Why a token was refused or could not be judged.
///
/// What a token did wrong is ``token(_:)``. Everything else concerns the verifier: an issuer that it does not
/// know, keys that it does not have.
public enum OpenIDError: Error, Equatable, Sendable {
  /// The token breaks a rule.
  case token(JOSEError)
  /// The token does not say who issued it, so that there is no policy for it.
  case issuerMissing
  /// The token's issuer is not among those that are trusted.
  case issuerUnknown(found: String, known: [String])
  /// No keys of the issuer are held at this moment, and the call does not fetch.
  case keysNotHeld(issuer: String)
  /// Keys are needed that cannot be had.
  case keysUnavailable(address: String, FetchFault)
  /// An address is not in the one form that is read.
  case addressInvalid(String, rule: String)
  /// What should identify a user pool, an identity pool, a load balancer or a tenant does not.
  case identifierInvalid(kind: String, value: String, rule: String)
  /// A verifier is asked for that cannot be meant.
  case verifierInvalid(rule: String)

  /// An error's stable code.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case issuerMissing = "issuer_missing"
    case issuerUnknown = "issuer_unknown"
    case keysNotHeld = "keys_not_held"
    case addressInvalid = "address_invalid"
    case identifierInvalid = "identifier_invalid"
    case verifierInvalid = "verifier_invalid"
  }

  /// The stable code: one of ``Code``, of `JOSEError.Code`, of ``ClaimFault/Code`` or of ``FetchFault/Code``.
  public var codeName: String {
    switch self {
    case .token(let error): error.codeName
    case .keysUnavailable(_, let fault): fault.code.rawValue
    case .issuerMissing: Code.issuerMissing.rawValue
    case .issuerUnknown: Code.issuerUnknown.rawValue
    case .keysNotHeld: Code.keysNotHeld.rawValue
    case .addressInvalid: Code.addressInvalid.rawValue
    case .identifierInvalid: Code.identifierInvalid.rawValue
    case .verifierInvalid: Code.verifierInvalid.rawValue
    }
  }

  /// True where the token is at fault, so that trying again later would not help.
  public var isRefusal: Bool {
    switch self {
    case .token, .issuerMissing, .issuerUnknown: true
    default: false
    }
  }
}

extension OpenIDError: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it, and says what to do where that is not plain.
  public var description: String {
    switch self {
    case .token(let error): "\(error)"
    case .issuerMissing: "the token does not say who issued it (\"iss\")"
    case .issuerUnknown(let found, let known):
      "the issuer \(found.quoted(upTo: 128)) is not trusted here; trusted are " + Self.list(known)
    case .keysNotHeld(let issuer):
      "no keys of \(issuer.quoted(upTo: 128)) are held; fetch them first, or verify with the call that fetches"
    case .keysUnavailable(let address, let fault): "no keys from \(address.quoted(upTo: 200)): \(fault)"
    case .addressInvalid(let address, let rule): "\(address.quoted(upTo: 200)) is no address: \(rule)"
    case .identifierInvalid(let kind, let value, let rule):
      "\(value.quoted(upTo: 200)) is no \(kind): \(rule)"
    case .verifierInvalid(let rule): rule
    }
  }

  static func list(_ texts: [String]) -> String {
    guard !texts.isEmpty else { return "none" }
    let shown = texts.prefix(8).map { $0.quoted(upTo: 128) }.joined(separator: ", ")
    return texts.count > 8 ? shown + " and \(texts.count - 8) more" : shown
  }
}
