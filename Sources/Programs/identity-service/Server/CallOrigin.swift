internal import HTTPExchange
internal import Hummingbird
internal import ServiceHosting
internal import TokenLifetime
internal import TokenSecurityBase

/// When, by whom and from where a call was made.
struct CallOrigin: Sendable {
  let time: Timestamp
  /// The caller, whose signature was verified.
  let caller: SignedCallers.Caller
  /// The client's address; that of a proxy which does not name its client.
  let address: String
  /// The client as limits count it.
  let client: ClientAddress

  init(_ caller: SignedCallers.Caller, _ context: RequestSender, _ request: Request) {
    time = .now
    self.caller = caller
    address = context.caller
    client = context.address
  }
}
