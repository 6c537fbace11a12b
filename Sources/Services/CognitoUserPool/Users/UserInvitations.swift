internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// An invitation: its text, its address and the temporary password.
struct Invitation: Sendable {
  let text: MessageText
  let destination: Destination
  let password: RetainedSecret
}

extension Users {
  /// Sends the invitation of a user again, with a new temporary password and a new time for it. The earlier one is
  /// withdrawn where it waits, whatever its medium.
  nonisolated(nonsending) func inviteAgain(
    _ request: UserCreation, _ context: CallContext
  ) async throws(UserPoolError) -> User {
    let (pool, found) = try await existingUser(request.name, in: request.poolID, context)
    try Self.checkInvitable(found)
    try request.checkMedia(for: found)
    let password = try Self.temporaryPassword(request.temporaryPassword, in: pool)
    let stored = try await passwords.verifier(of: password.bytes, for: found, in: pool, from: nil)
    let invitations = try await invitations(request, to: found, password, in: pool)
    let secrets = secrets
    return try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard var user = try rows.user(sub: found.sub, in: pool) else { throw .userUnknown }
      try Self.checkInvitable(user)
      user.replacePassword(by: stored, in: pool)
      user.temporaryUntil = pool.passwordPolicy.temporaryEnd(from: rows.now)
      user.modified = rows.now.wholeSecond
      try rows.put(user)
      try rows.removeCode(.forgottenPassword, of: user)
      try rows.withdrawInvitations(of: user, except: invitations.map(\.destination.medium))
      try rows.enqueue(invitations, to: user, secrets)
      return user
    }
  }

  private static func checkInvitable(_ user: User) throws(UserPoolError) {
    guard user.status == .forceChangePassword else {
      throw .userStateNotSupported(status: user.status.name)
    }
  }

  /// The invitations of a request, for each medium by which it is sent. A medium for which the user has no address
  /// is left out.
  nonisolated(nonsending) func invitations(
    _ request: UserCreation, to user: User, _ password: RetainedSecret, in pool: UserPool
  ) async throws(UserPoolError) -> [Invitation] {
    guard request.invitation != .suppressed else { return [] }
    let shown = HookUser(user, in: pool, clientID: nil, clientMetadata: request.clientMetadata)
    var invitations: [Invitation] = []
    for attribute in VerifiedAttribute.allCases where request.usedMedia.contains(attribute.medium) {
      guard let destination = Destination(attribute, of: user) else { continue }
      let text = try await messages.text(
        .adminCreateUser, by: attribute.medium, to: shown, lifetime: pool.passwordPolicy.temporaryLifetime)
      invitations.append(Invitation(text: text, destination: destination, password: password))
    }
    return invitations
  }
}

extension WriteTransaction<UserPoolError> {
  /// Withdraws the invitations that still wait, since their temporary password is not valid any more.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - media: those whose invitation is replaced by a new one, which withdraws it. Default: none.
  /// - Throws: `storeFailed`.
  func withdrawInvitations(
    of user: User, except media: [DeliveryMedium] = []
  ) throws(UserPoolError) {
    for medium in DeliveryMedium.allCases where !media.contains(medium) {
      try removeCode(.invitation(medium), of: user)
    }
  }

  /// Puts invitations into the outbox.
  ///
  /// - Throws: `requestLimitExceeded` after too many messages to an address.
  func enqueue(
    _ invitations: [Invitation], to user: User, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    for invitation in invitations {
      try UserPoolError.declaringRequests { () throws(UserPoolError) in
        try enqueue(invitation, to: user, secrets)
      }
    }
  }

  private func enqueue(
    _ invitation: Invitation, to user: User, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    let password = invitation.password.bytes.withBytes {
      String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self)
    }
    try enqueue(
      invitation.text, code: password, to: invitation.destination, of: user,
      for: .invitation(invitation.destination.medium), secrets: secrets)
  }
}

extension PasswordPolicy {
  /// How long a temporary password is valid.
  var temporaryLifetime: Duration { .seconds(temporaryDays.saturatingProduct(86_400)) }

  /// When a temporary password ends that is set now.
  func temporaryEnd(from now: Timestamp) -> Timestamp { (now + temporaryLifetime).wholeSecond }
}
