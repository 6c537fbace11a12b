internal import Hummingbird
internal import TokenLifetime
internal import TokenSecurityEncodings
internal import ServiceHosting

/// When, by whom and from where a call was made.
struct CallOrigin: Sendable {
  let time: Timestamp
  /// The caller, whose signature was verified.
  let caller: SignedCallers.Caller
  /// The client's address.
  let address: String

  init(_ caller: SignedCallers.Caller, _ context: RequestSender, _ request: Request) {
    time = .now
    self.caller = caller
    address = context.caller
  }
}
