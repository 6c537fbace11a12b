public import HTTPExchange
internal import JOSE
public import TokenSecurityBase

/// Why keys, or the provider metadata that locates them, could not be fetched.
@nonexhaustive public enum FetchError: CodedError, Hashable {
  /// There is no response, or the URL must not be fetched.
  case transport(TransportError)
  /// An HTTP status other than 200 that has no case here.
  case status(Int)
  /// The server redirects. Redirects are not followed: their target could choose the keys.
  case redirect(status: Int, location: String?)
  /// The response is a web page.
  case webPage
  /// The set has more keys than allowed.
  case tooManyKeys(limit: Int)
  /// The keys could not be fetched; only the log has the reason. Used when an `AddressRule` is configured:
  /// errors must not reveal how an address responded.
  case failed
  /// The response has no usable key; `refused` keys were rejected.
  case noUsableKey(refused: Int)
  /// The response cannot be parsed as keys: the code and the description of the `JOSEError`.
  case unreadable(code: String, reason: String)
  /// The provider metadata violates OpenID Connect Discovery 1.0.
  case metadata(rule: String)
  /// The provider metadata belongs to another issuer.
  case metadataIssuer(expected: String, actual: String)

  /// An error's stable code. A code never changes its meaning; new codes may be added.
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

  /// The stable code as text. For `transport` it is the code of the transport error.
  public var codeText: String {
    if case .transport(let error) = self { error.codeText } else { code.rawValue }
  }

  init(_ error: JOSEError) { self = .unreadable(code: error.codeText, reason: "\(error)") }
}

extension FetchError {
  /// The code and the message of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .transport(let error): (.transport, "\(error)")
    case .status(let status): (.status, "the server responded with status \(status)")
    case .redirect(let status, let location):
      (
        .redirect,
        "redirects are not followed: status \(status), location \((location ?? "").quoted(upTo: 200))"
      )
    case .webPage: (.webPage, "the response is a web page (text/html)")
    case .tooManyKeys(let limit): (.tooManyKeys, "the set has more than \(limit) keys")
    case .failed: (.failed, "the keys could not be fetched; the log has the reason")
    case .noUsableKey(let refused):
      (.noUsableKey, "the set has no usable key" + (refused > 0 ? "; \(refused) were refused" : ""))
    case .unreadable(_, let reason): (.unreadable, reason)
    case .metadata(let rule): (.metadata, "the provider metadata is refused: \(rule)")
    case .metadataIssuer(let expected, let actual):
      (
        .metadataIssuer,
        "the metadata's issuer is \(actual.quoted(upTo: 128)); expected: \(expected.quoted(upTo: 128))"
      )
    }
  }
}
