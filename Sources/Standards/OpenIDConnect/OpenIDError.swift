public import HTTPExchange
public import JOSE
public import TokenSecurityBase

/// Why a token was refused or could not be verified.
///
/// ``token(_:)`` is a rule that the token breaks. All other cases concern the verifier: an unknown issuer,
/// missing keys, invalid configuration.
@nonexhaustive public enum OpenIDError: CodedError, Equatable {
  /// The token breaks a rule.
  case token(JOSEError)
  /// The token has no `iss`, so no policy applies to it.
  case issuerMissing
  /// The token's issuer is not trusted.
  case issuerUnknown(actual: String, known: [String])
  /// No keys of the issuer are cached, and the call does not fetch, or may not fetch now.
  case keysNotCached(issuer: String)
  /// The keys could not be fetched.
  case keysUnavailable(address: String, FetchError)
  /// A URL is not in the accepted form.
  case addressInvalid(TransportError)
  /// The id of a user pool, an identity pool, a load balancer or a tenant is malformed.
  case identifierInvalid(kind: String, value: String, rule: String)
  /// The verifier's configuration is invalid.
  case verifierInvalid(rule: String)

  /// An error's stable code.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case token = "token_refused"
    case issuerMissing = "issuer_missing"
    case issuerUnknown = "issuer_unknown"
    case keysNotCached = "keys_not_held"
    case keysUnavailable = "keys_unavailable"
    case addressInvalid = "address_refused"
    case identifierInvalid = "identifier_invalid"
    case verifierInvalid = "verifier_invalid"
  }

  /// The stable code as text. For `token`, `keysUnavailable` and `addressInvalid` it is the code of the
  /// wrapped error.
  public var codeText: String {
    switch self {
    case .token(let error): error.codeText
    case .keysUnavailable(_, let error): error.codeText
    case .addressInvalid(let error): error.codeText
    default: code.rawValue
    }
  }

  /// True if the token itself is at fault, so a retry would not help.
  public var isRefusal: Bool {
    switch self {
    case .token, .issuerMissing, .issuerUnknown: true
    default: false
    }
  }

  /// True where fetching keys may change the outcome: there are none yet, or the issuer may have a new one.
  package var canChangeWithKeys: Bool {
    switch self {
    case .keysNotCached, .token(.keyNotFound): true
    default: false
    }
  }
}

extension OpenIDError {
  /// The code and the message of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .token(let error): (.token, "\(error)")
    case .issuerMissing: (.issuerMissing, "the token has no issuer (\"iss\")")
    case .issuerUnknown(let actual, let known):
      (
        .issuerUnknown,
        "the issuer \(actual.quoted(upTo: 128)) is not trusted; trusted issuers: \(known.quotedList)"
      )
    case .keysNotCached(let issuer):
      (.keysNotCached, "no keys of \(issuer.quoted(upTo: 128)) are cached; fetch them first")
    case .keysUnavailable(let address, let error):
      (.keysUnavailable, "no keys from \(address.quoted(upTo: 200)): \(error)")
    case .addressInvalid(let error): (.addressInvalid, "\(error)")
    case .identifierInvalid(let kind, let value, let rule):
      (.identifierInvalid, "\(value.quoted(upTo: 200)) is not a valid \(kind): \(rule)")
    case .verifierInvalid(let rule): (.verifierInvalid, rule)
    }
  }
}

extension HTTPURL {
  /// Parses a URL and reports this module's error.
  package init(openID text: String) throws(OpenIDError) {
    do { self = try HTTPURL(text) } catch { throw .addressInvalid(error) }
  }
}

extension OpenIDError {
  package init(_ error: AWSNameError) {
    self = .identifierInvalid(kind: error.kind, value: error.value, rule: error.rule)
  }
}
