public import HTTPExchange
internal import JOSE
public import TokenSecurityEncodings

/// Why keys, or the document that says where they are, could not be had.
@nonexhaustive public enum FetchError: CodedError, Hashable {
  /// There is no response, or the URL must not be fetched.
  case transport(TransportError)
  /// The answer's status is neither 200 nor one that has a case of its own.
  case status(Int)
  /// The server points elsewhere. Redirects are not followed: whoever controls one would choose the keys.
  case redirect(status: Int, location: String?)
  /// The answer is a web page.
  case webPage
  /// The set has more keys than are read.
  case tooManyKeys(limit: Int)
  /// The keys could not be fetched, and the reason is in the log alone: where a rule decides about addresses, errors do
  /// not say how an address responded.
  case failed
  /// The answer has no key that can be used; so many were refused.
  case noUsableKey(refused: Int)
  /// The answer cannot be read as keys. The text is the reason, the code is the one of `JOSEError`.
  case unreadable(code: String, reason: String)
  /// The provider's description of itself breaks OpenID Connect Discovery 1.0.
  case metadata(rule: String)
  /// The provider's description is of another issuer.
  case metadataIssuer(expected: String, actual: String)

  /// An error's stable code. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case transport = "fetch_no_response"
    case status = "fetch_status"
    case redirect = "fetch_redirect"
    case webPage = "fetch_web_page"
    case tooManyKeys = "fetch_too_many_keys"
    case failed = "fetch_failed"
    case noUsableKey = "fetch_no_usable_key"
    case unreadable = "fetch_unreadable"
    case metadata = "discovery_invalid"
    case metadataIssuer = "discovery_issuer_mismatch"
  }

  /// The stable code as text: of `transport` the transport error's code.
  public var codeText: String {
    if case .transport(let error) = self { error.codeText } else { code.rawValue }
  }

  init(_ error: JOSEError) { self = .unreadable(code: error.codeText, reason: "\(error)") }
}

extension FetchError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .transport(let error): (.transport, "\(error)")
    case .status(let status): (.status, "the server answered with status \(status)")
    case .redirect(let status, let location):
      (
        .redirect,
        "the server answered with status \(status) and points to \((location ?? "").quoted(upTo: 200)); redirects are not followed"
      )
    case .webPage: (.webPage, "the answer is a web page (text/html)")
    case .tooManyKeys(let limit): (.tooManyKeys, "the set has more than \(limit) keys")
    case .failed: (.failed, "the keys could not be fetched; the log has the reason")
    case .noUsableKey(let refused):
      (.noUsableKey, "the set has no key that can be used" + (refused > 0 ? "; \(refused) were refused" : ""))
    case .unreadable(_, let reason): (.unreadable, reason)
    case .metadata(let rule): (.metadata, "the provider's description is refused: \(rule)")
    case .metadataIssuer(let expected, let actual):
      (
        .metadataIssuer,
        "the provider's description is of the issuer \(actual.quoted(upTo: 128)) where \(expected.quoted(upTo: 128)) was asked"
      )
    }
  }
}
