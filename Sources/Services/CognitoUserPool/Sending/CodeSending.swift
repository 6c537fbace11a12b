internal import Records
internal import TokenSecurityBase

extension UserMessages {
  /// Makes a code and puts its message into the outbox, in one transaction.
  ///
  /// - Parameters:
  ///   - purpose: what the code is for.
  ///   - kind: why the message is sent.
  ///   - destination: where it is sent.
  ///   - hookUser: the user for hooks, and the client and metadata of the call.
  ///   - user: the user.
  ///   - context: the call.
  ///   - hidesUsers: true where the response must not show that the user exists: that CustomMessage fails, or
  ///     that the address gets no more messages now, is then not shown.
  ///   - isCurrent: whether the user may still get this code there.
  /// - Throws: `changedMeanwhile` where the user changed; `userUnknown` where the user was deleted;
  ///   `attemptLimitExceeded`, `deliveryFailed`; the errors of the hook CustomMessage.
  nonisolated(nonsending) func sendCode(
    _ purpose: CodePurpose, _ kind: MessageKind, to destination: Destination, for hookUser: HookUser,
    _ user: User, _ context: CallContext, hidesUsers: Bool = false,
    isCurrent: @escaping @Sendable (User) -> Bool
  ) async throws(UserPoolError) {
    let (pool, secrets) = (hookUser.pool, secrets)
    do throws(UserPoolError) {
      let text = try await text(
        kind, by: destination.medium, to: hookUser, lifetime: purpose.lifetime)
      try await store.write(at: context.time) { rows throws(UserPoolError) in
        guard let user = try rows.again(user, named: user.canonicalName, in: pool) else { throw .userUnknown }
        guard isCurrent(user) else { throw .changedMeanwhile }
        try rows.sendCode(purpose, text, to: destination, of: user, secrets: secrets)
      }
    } catch {
      guard hidesUsers, error.isOfOneMessage else { throw error }
      try await reserveRoom(kind, by: destination.medium, in: pool)
      try await store.write(at: context.time) { rows throws(UserPoolError) in
        guard let user = try rows.again(user, named: user.canonicalName, in: pool) else { throw .userUnknown }
        try rows.issueSimulatedCode(purpose, for: user, lifetime: purpose.lifetime, keepsSent: true)
      }
    }
  }
}

extension UserPoolError {
  /// True where a message to this user fails that is not sent to users who do not exist.
  var isOfOneMessage: Bool {
    switch self {
    case .hookRefused, .hookFailed, .hookResponseInvalid, .attemptLimitExceeded: true
    default: false
    }
  }
}
