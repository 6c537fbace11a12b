internal import HTTPExchange
internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase

/// Calls of declared operations, with the pool's members and this module's errors.
struct UserPoolCalls: Sendable {
  let pool: UserPool
  let transport: any HTTPTransport
  private let client: OperationClient

  init(pool: UserPool, transport: any HTTPTransport) {
    self.pool = pool
    self.transport = transport
    client = OperationClient(
      userPools, at: pool.endpoint.address, transport,
      limits: .poolCall)
  }

  /// Calls an operation with an input that has no member of the pool or the client.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(UserPoolClientError) -> Operation.Output {
    try await send(Operation.Input(set), to: operation)
  }

  /// Calls an operation with the client's id and `AnalyticsMetadata`. The caller puts `SECRET_HASH` into the
  /// parameters of a sign-in.
  func callAsClient<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(UserPoolClientError) -> Operation.Output where Operation.Input: AnalyticsInput {
    var input = Operation.Input(set)
    input.clientID = pool.client.id
    input.analyticsMetadata = analytics
    return try await send(input, to: operation)
  }

  /// Calls an operation with the client's id, `SecretHash` of the user and `AnalyticsMetadata`.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, username: String, _ set: (inout Operation.Input) -> Void
  ) async throws(UserPoolClientError) -> Operation.Output where Operation.Input: UserInput {
    let hash = try secretHash(username: username)
    return try await callAsClient(operation) {
      set(&$0)
      $0.username = username
      $0.secretHash = hash
    }
  }

  /// Calls an operation with the client's id and secret.
  func callWithSecret<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(UserPoolClientError) -> Operation.Output where Operation.Input: ClientSecretInput {
    var input = Operation.Input(set)
    input.clientID = pool.client.id
    input.clientSecret = pool.clientSecret
    return try await send(input, to: operation)
  }

  /// Calls an operation with an access token.
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, accessToken: String, _ set: (inout Operation.Input) -> Void = { _ in }
  ) async throws(UserPoolClientError) -> Operation.Output where Operation.Input: AccessTokenInput {
    var input = Operation.Input(set)
    input.accessToken = accessToken
    return try await send(input, to: operation)
  }

  /// `SECRET_HASH` of a user; nil for a client without a secret.
  func secretHash(username: String) throws(UserPoolClientError) -> String? {
    do { return try pool.client.secretHash(username: username) } catch { throw .signInFailed(error) }
  }

  private var analytics: AnalyticsMetadataType? {
    pool.analyticsEndpointID.map { id in AnalyticsMetadataType { $0.analyticsEndpointID = id } }
  }

  private func send<Operation: ServiceOperation>(
    _ input: Operation.Input, to operation: Operation.Type
  ) async throws(UserPoolClientError) -> Operation.Output {
    guard !Task.isCancelled else { throw .cancelled }
    do throws(OperationCallError) {
      return try await client.call(operation, input)
    } catch {
      switch error {
      case .refused(let type, _, let message): throw .refused(type: type, message: message)
      case .requestRefused(let rule): throw .inputInvalid(rule: rule)
      case .responseMalformed(let rule): throw .responseMalformed(rule: rule)
      case .unreachable(let error): throw Task.isCancelled ? .cancelled : .unreachable("\(error)")
      }
    }
  }

  /// The value of a member that the model lets a response leave out. Throws where it is absent.
  func present<Value>(_ value: Value?, _ name: String) throws(UserPoolClientError) -> Value {
    guard let value else { throw .responseMalformed(rule: "it has no \(name)") }
    return value
  }

  /// The text of a member that the model lets a response leave out. Throws where it is absent or empty.
  func present(_ text: String?, _ name: String) throws(UserPoolClientError) -> String {
    guard let text, !text.isEmpty else { throw .responseMalformed(rule: "it has no \(name)") }
    return text
  }
}
