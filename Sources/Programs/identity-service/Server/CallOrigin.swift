internal import CognitoIdentity
internal import HTTPExchange
internal import ServiceHosting

/// When, by whom and from where a call was made.
struct CallOrigin: Sendable {
  /// When and by whom; the signature was verified.
  let context: IdentityPoolOperations.Context
  /// The client's address; that of a proxy which does not name its client.
  let address: String
  /// The client as limits count it.
  let client: ClientAddress

  init(_ caller: SignedCallers.Caller, _ context: RequestSender) {
    self.context = IdentityPoolOperations.Context(caller: caller, from: context.caller)
    address = context.caller
    client = context.address
  }
}
