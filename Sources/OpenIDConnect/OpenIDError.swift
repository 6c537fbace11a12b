public import HTTPExchange
public import TokenSecurityEncodings
internal import AWSNames
public import JOSE

/// Why a token was refused or could not be judged.
///
/// What a token did wrong is ``token(_:)``. Everything else concerns the verifier: an issuer that it does not
/// know, keys that it does not have.
@nonexhaustive public enum OpenIDError: CodedError, Equatable {
  /// The token breaks a rule.
  case token(JOSEError)
  /// The token does not say who issued it, so that there is no policy for it.
  case issuerMissing
  /// The token's issuer is not among those that are trusted.
  case issuerUnknown(actual: String, known: [String])
  /// No keys of the issuer are held at this moment, and the call does not fetch.
  case keysNotHeld(issuer: String)
  /// Keys are needed that cannot be had.
  case keysUnavailable(address: String, FetchError)
  /// A URL is not in the one form that is read.
  case addressInvalid(TransportError)
  /// What should identify a user pool, an identity pool, a load balancer or a tenant does not.
  case identifierInvalid(kind: String, value: String, rule: String)
  /// A verifier is asked for that cannot be meant.
  case verifierInvalid(rule: String)

  /// An error's stable code.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case token = "token_refused"
    case issuerMissing = "issuer_missing"
    case issuerUnknown = "issuer_unknown"
    case keysNotHeld = "keys_not_held"
    case keysUnavailable = "keys_unavailable"
    case addressInvalid = "address_refused"
    case identifierInvalid = "identifier_invalid"
    case verifierInvalid = "verifier_invalid"
  }

  /// The stable code as text: of `token`, `keysUnavailable` and `addressInvalid` the carried error's code.
  public var codeText: String {
    switch self {
    case .token(let error): error.codeText
    case .keysUnavailable(_, let error): error.codeText
    case .addressInvalid(let error): error.codeText
    default: code.rawValue
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

extension OpenIDError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .token(let error): (.token, "\(error)")
    case .issuerMissing: (.issuerMissing, "the token does not say who issued it (\"iss\")")
    case .issuerUnknown(let actual, let known):
      (
        .issuerUnknown,
        "the issuer \(actual.quoted(upTo: 128)) is not trusted; trusted are \(known.quotedList)"
      )
    case .keysNotHeld(let issuer):
      (.keysNotHeld, "no keys of \(issuer.quoted(upTo: 128)) are cached; fetch them first")
    case .keysUnavailable(let address, let error):
      (.keysUnavailable, "no keys from \(address.quoted(upTo: 200)): \(error)")
    case .addressInvalid(let error): (.addressInvalid, "\(error)")
    case .identifierInvalid(let kind, let value, let rule):
      (.identifierInvalid, "\(value.quoted(upTo: 200)) is no \(kind): \(rule)")
    case .verifierInvalid(let rule): (.verifierInvalid, rule)
    }
  }
}

extension HTTPURL {
  /// Reads a URL, with this module's error.
  package init(openID text: String) throws(OpenIDError) {
    do { self = try HTTPURL(text) } catch { throw .addressInvalid(error) }
  }
}

extension OpenIDError {
  init(_ error: AWSNameError) {
    self = .identifierInvalid(kind: error.kind, value: error.value, rule: error.rule)
  }
}
