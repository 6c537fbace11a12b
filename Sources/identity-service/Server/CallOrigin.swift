internal import Hummingbird
internal import TokenLifetime
internal import TokenSecurityEncodings

/// When, by whom and from where a call was made.
struct CallOrigin: Sendable {
  let time: Timestamp
  /// The caller, whose signature was verified.
  let caller: SignedCallers.Caller
  /// The client's address.
  let address: String
  private let sentAgent: String?

  /// The most characters of a user agent that are kept.
  static let userAgentLimit = 256

  /// The client's `User-Agent`, cut and without control characters; nil without one.
  var userAgent: String? { sentAgent.map { $0.visible(upTo: Self.userAgentLimit) } }

  init(_ caller: SignedCallers.Caller, _ context: RequestSender, _ request: Request) {
    time = .now
    self.caller = caller
    address = context.caller
    sentAgent = request.headers[.userAgent]
  }
}
