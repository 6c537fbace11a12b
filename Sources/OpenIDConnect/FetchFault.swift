internal import TokenSecurityEncodings
internal import JOSE

/// Why keys, or the document that says where they are, could not be had.
public enum FetchFault: Error, Hashable, Sendable {
  /// The server did not answer in time, or not to the end.
  case timeout(Duration)
  /// The answer has more bytes than are read.
  case tooLarge(limit: Int)
  /// The answer's status is neither 200 nor one that has a case of its own.
  case status(Int)
  /// The server points elsewhere. Redirects are not followed: whoever controls one would choose the keys.
  case redirect(status: Int, location: String?)
  /// The answer is a web page.
  case webPage
  /// There was no connection, no valid certificate, or no whole answer. The text is the client's.
  case connection(String)
  /// The address is plain HTTP.
  case notSecure(address: String)
  /// The rule about addresses (``RemoteKeyRules/addresses``) refuses the address.
  case addressRefused(address: String, reason: String)
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
  case metadataIssuer(expected: String, found: String)

  /// A fault's stable code.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case timeout = "fetch_timeout"
    case tooLarge = "fetch_too_large"
    case status = "fetch_status"
    case redirect = "fetch_redirect"
    case webPage = "fetch_web_page"
    case connection = "fetch_connection"
    case notSecure = "fetch_not_secure"
    case addressRefused = "fetch_address_refused"
    case tooManyKeys = "fetch_too_many_keys"
    case failed = "fetch_failed"
    case noUsableKey = "fetch_no_usable_key"
    case unreadable = "fetch_unreadable"
    case metadata = "discovery_invalid"
    case metadataIssuer = "discovery_issuer_mismatch"
  }

  /// The stable code of this fault.
  public var code: Code {
    switch self {
    case .timeout: .timeout
    case .tooLarge: .tooLarge
    case .status: .status
    case .redirect: .redirect
    case .webPage: .webPage
    case .connection: .connection
    case .notSecure: .notSecure
    case .addressRefused: .addressRefused
    case .tooManyKeys: .tooManyKeys
    case .failed: .failed
    case .noUsableKey: .noUsableKey
    case .unreadable: .unreadable
    case .metadata: .metadata
    case .metadataIssuer: .metadataIssuer
    }
  }

  init(_ error: JOSEError) { self = .unreadable(code: error.codeName, reason: "\(error)") }
}

extension FetchFault: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it.
  public var description: String {
    switch self {
    case .timeout(let limit): "there was no whole answer within \(Self.seconds(limit)) s"
    case .tooLarge(let limit): "the answer has more than \(limit) bytes"
    case .status(let status): "the server answered with status \(status)"
    case .redirect(let status, let location):
      "the server answered with status \(status) and points to \((location ?? "").quoted(upTo: 200)); redirects are not followed"
    case .webPage: "the answer is a web page (text/html)"
    case .connection(let reason): "the exchange failed: \(reason.visible(upTo: 200))"
    case .notSecure(let address):
      "\(address.quoted(upTo: 200)) is not https; plain http is for this machine alone, and only when asked for"
    case .addressRefused(let address, let reason):
      "\(address.quoted(upTo: 200)) must not be fetched: \(reason.visible(upTo: 200))"
    case .tooManyKeys(let limit): "the set has more than \(limit) keys"
    case .failed: "the keys could not be fetched; the log has the reason"
    case .noUsableKey(let refused):
      "the set has no key that can be used" + (refused > 0 ? "; \(refused) were refused" : "")
    case .unreadable(_, let reason): reason
    case .metadata(let rule): "the provider's description is refused: \(rule)"
    case .metadataIssuer(let expected, let found):
      "the provider's description is of the issuer \(found.quoted(upTo: 128)) where \(expected.quoted(upTo: 128)) was asked"
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds)" : "\(seconds).\(abs(tenths))"
  }
}
