public import HTTPExchange

/// The calls of users to a user pool: sign-up, forgotten passwords, attributes, second factors, devices, and
/// sign-in.
///
///     let pool = try UserPool(id: "eu-west-1_Example01", clientID: "1example23456789")
///     let client = UserPoolClient(pool: pool, transport: transport)
public struct UserPoolClient: Sendable {
  /// The pool and its app client.
  public let pool: UserPool
  let calls: UserPoolCalls

  /// Creates a client. It has no connection of its own and no state.
  ///
  /// - Parameters:
  ///   - pool: the pool and its app client.
  ///   - transport: the HTTP client.
  public init(pool: UserPool, transport: any HTTPTransport) {
    self.pool = pool
    calls = UserPoolCalls(pool: pool, transport: transport)
  }
}
