public import TokenSecurityBase

/// Why a URL cannot be used, or why there is no response.
@nonexhaustive public enum TransportError: CodedError, Hashable {
  /// No complete response arrived in time.
  case timeout(Duration)
  /// The response is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// No connection, no valid certificate, or no complete response. The text is the HTTP client's.
  case connection(String)
  /// The URL is plain HTTP.
  case notSecure(address: String)
  /// The ``AddressRule`` refuses the URL.
  case addressRefused(address: String, reason: String)
  /// The text is not a URL in the form of ``HTTPURL``.
  case addressInvalid(String, rule: String)

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case timeout = "fetch_timeout"
    case tooLarge = "fetch_too_large"
    case connection = "fetch_connection"
    case notSecure = "fetch_not_secure"
    case addressRefused = "fetch_address_refused"
    case addressInvalid = "address_invalid"
  }
}

extension TransportError {
  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .timeout(let limit): (.timeout, "no complete response arrived within \(Self.seconds(limit)) s")
    case .tooLarge(let limit): (.tooLarge, "the response has more than \(limit) bytes")
    case .connection(let reason): (.connection, "the request failed: \(reason.visible(upTo: 200))")
    case .notSecure(let address):
      (
        .notSecure,
        "\(address.quoted(upTo: 200)) is not https; plain http is only for this machine, and must be allowed"
      )
    case .addressRefused(let address, let reason):
      (.addressRefused, "\(address.quoted(upTo: 200)) must not be fetched: \(reason.visible(upTo: 200))")
    case .addressInvalid(let address, let rule):
      (.addressInvalid, "\(address.quoted(upTo: 200)) is not a valid URL: \(rule)")
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = TimeLimit.bounded(duration).components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds)" : "\(seconds).\(tenths)"
  }
}
