internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The parameters of `AdminCreateUser`.
package struct UserCreation: Sendable {
  /// How the invitation is handled.
  package enum Invitation: Sendable, Hashable {
    case sent
    /// To a user who exists, with a new temporary password.
    case sentAgain
    case suppressed
  }

  package var poolID = ""
  package var name = ""
  package var attributes: AttributeRules.Given = []
  /// For PreSignUp.
  package var validationData: [ExactString: String] = [:]
  /// Nil: the service makes one, except in pools whose users sign in without passwords.
  package var temporaryPassword: SecretText?
  /// True where aliases are taken from their owners.
  package var forcesAlias = false
  package var invitation = Invitation.sent
  /// How the invitation is sent. None: by SMS.
  package var media: [DeliveryMedium] = []
  /// For hooks.
  package var clientMetadata: [ExactString: String] = [:]

  package init() {}

  /// The media of the invitation.
  var usedMedia: [DeliveryMedium] { media.isEmpty ? [.sms] : media }

  /// Checks that the user has an address for each medium that the request names. Without a named one, a new user
  /// without a phone number gets no invitation; an invitation that is sent again must reach the user, whose password
  /// it replaces.
  ///
  /// - Throws: `addressUnusable`.
  func checkMedia(for user: User) throws(UserPoolError) {
    guard invitation == .sentAgain || invitation == .sent && !media.isEmpty else { return }
    for attribute in VerifiedAttribute.allCases where usedMedia.contains(attribute.medium) {
      guard Destination(attribute, of: user) == nil else { continue }
      throw .addressUnusable(
        rule: attribute == .email
          ? "No email provided but desired delivery medium was Email"
          : "No phone number provided but desired delivery medium was SMS")
    }
  }
}

/// Users that administrators make.
extension Users {
  /// Makes a user and sends an invitation, or sends it again (`AdminCreateUser`).
  ///
  /// - Parameters:
  ///   - request: what to do.
  ///   - context: the call. Its subject gets a warning where no invitation is sent although the request does not
  ///     suppress it.
  /// - Returns: the user.
  /// - Throws: `poolUnknown`, `userNameRefused`, the errors of ``AttributeRules``, `passwordRefused`, `userExists`,
  ///   `addressTaken`, `aliasExists`; `addressUnusable` for an invitation that cannot reach the user; for an invitation
  ///   that is sent again `userUnknown`, `userStateNotSupported`; `requestLimitExceeded`; the errors of hooks and messages, `storeBusy`,
  ///   `storeFailed`, `cryptoFailed`.
  package nonisolated(nonsending) func createUser(
    _ request: UserCreation, _ context: CallContext
  ) async throws(UserPoolError) -> User {
    if request.invitation == .sentAgain { return try await inviteAgain(request, context) }
    let pool = try await store.read(at: context.time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(request.poolID, naming: context.subject)
      // A call that is refused concerns the user who has the name.
      if let user = try rows.user(named: request.name, in: pool) { context.subject.isUser(user) }
      return pool
    }
    var user = try Self.newUser(request, in: pool, at: context.time)
    let first = user
    // Before hooks are called. The transaction that stores the user checks it again.
    try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.checkIsNew(first, in: pool)
    }
    let isWithout = request.temporaryPassword == nil && pool.isPasswordless
    if !isWithout { try request.checkMedia(for: user) }
    let password = isWithout ? nil : try Self.temporaryPassword(request.temporaryPassword, in: pool)
    let decision = try await hooks.preSignUp(
      HookUser(
        pool: pool, clientID: nil, userName: user.name, attributes: user.attributes,
        clientMetadata: request.clientMetadata),
      validationData: request.validationData, byAdministrator: true)
    try user.verifyAddresses(of: decision)
    var invitations: [Invitation] = []
    if let password {
      user.status = .forceChangePassword
      user.password = try await passwords.verifier(of: password.bytes, for: user, in: pool, from: nil)
      user.temporaryUntil = pool.passwordPolicy.temporaryEnd(from: context.time)
      invitations = try await self.invitations(request, to: user, password, in: pool)
    } else {
      user.status = .confirmed
    }
    try await add(user, to: pool, invitations, forcing: request.forcesAlias, at: context.time)
    if password != nil, invitations.isEmpty, request.invitation != .suppressed {
      context.subject.warn(
        "no invitation was sent: the user has no phone_number, and no DesiredDeliveryMediums are named")
    }
    context.subject.isUser(user)
    return user
  }

  /// The user of a request, without password.
  private static func newUser(
    _ request: UserCreation, in pool: UserPool, at now: Timestamp
  ) throws(UserPoolError) -> User {
    let name = try UserNameRules(pool).checkedNew(request.name)
    let attributes = try AttributeRules(pool).checkedNew(
      request.attributes, byAdministrator: true, client: nil, address: name.address)
    return try User(name, attributes: attributes, in: pool, at: now)
  }

  /// The temporary password: the given one, or a new one.
  static func temporaryPassword(
    _ given: SecretText?, in pool: UserPool
  ) throws(UserPoolError) -> RetainedSecret {
    guard let given else {
      return RetainedSecret(try TemporaryPassword.make(pool.passwordPolicy))
    }
    let password = RetainedSecret(given)
    try pool.passwordPolicy.check(password.bytes)
    return password
  }

  /// Stores a new user with the invitations.
  private nonisolated(nonsending) func add(
    _ user: User, to pool: UserPool, _ invitations: [Invitation], forcing: Bool, at now: Timestamp
  ) async throws(UserPoolError) {
    let secrets = secrets
    try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.add(user, to: pool, forcing: forcing)
      try rows.enqueue(invitations, to: user, secrets)
    }
  }
}
