public import TokenSecurityEncodings

/// Why a URL cannot be used, or why there is no response.
@nonexhaustive public enum TransportError: CodedError, Hashable {
  /// There was no complete response in time.
  case timeout(Duration)
  /// The response has more bytes than are read.
  case tooLarge(limit: Int)
  /// There was no connection, no valid certificate, or no complete response. The text is the client's.
  case connection(String)
  /// The URL is plain HTTP.
  case notSecure(address: String)
  /// The rule about addresses (``AddressRule``) refuses the URL.
  case addressRefused(address: String, reason: String)
  /// The text is not a URL in the one form that is read.
  case addressInvalid(String, rule: String)

  /// An error's stable code. A code never changes its meaning; new ones may come.
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
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .timeout(let limit): (.timeout, "there was no whole answer within \(Self.seconds(limit)) s")
    case .tooLarge(let limit): (.tooLarge, "the answer has more than \(limit) bytes")
    case .connection(let reason): (.connection, "the exchange failed: \(reason.visible(upTo: 200))")
    case .notSecure(let address):
      (
        .notSecure,
        "\(address.quoted(upTo: 200)) is not https; plain http is for this machine alone, and only when asked for"
      )
    case .addressRefused(let address, let reason):
      (.addressRefused, "\(address.quoted(upTo: 200)) must not be fetched: \(reason.visible(upTo: 200))")
    case .addressInvalid(let address, let rule):
      (.addressInvalid, "\(address.quoted(upTo: 200)) is no address: \(rule)")
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let tenths = attoseconds / 100_000_000_000_000_000
    return tenths == 0 ? "\(seconds)" : "\(seconds).\(abs(tenths))"
  }
}
