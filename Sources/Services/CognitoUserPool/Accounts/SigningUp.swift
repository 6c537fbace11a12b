internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A user's data for the sign-up, besides the name.
package struct SignUpRequest: Sendable {
  /// The password; nil in a pool whose users can do without.
  package var password: SecretText?
  package var attributes: AttributeRules.Given
  /// For the hook PreSignUp.
  package var validationData: [ExactString: String]

  package init(
    password: SecretText?, attributes: AttributeRules.Given = [],
    validationData: [ExactString: String] = [:]
  ) {
    self.password = password
    self.attributes = attributes
    self.validationData = validationData
  }
}

/// A user who signed up.
package struct SignedUpUser: Sendable {
  /// The user.
  package let user: User
  /// Where the code was sent; nil where none was needed, or no address serves.
  package let destination: Destination?
  /// A session for `ConfirmSignUp`, in clients with USER_AUTH.
  package var session: String?
}

extension SignUps {
  /// Makes a user who confirms the sign-up with a code (`SignUp`).
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - request: the password and the attributes.
  ///   - context: the call.
  /// - Returns: the user, and where the code was sent.
  /// - Throws: `signUpNotPermitted`, `userNameRefused`, `passwordRefused`, `attributesRefused`,
  ///   `addressMalformed`, `attributeNotWritable`, `userExists`, `addressTaken`, `hookRefused`,
  ///   `attemptLimitExceeded` and others.
  ///   After `deliveryFailed` and `attemptLimitExceeded` the user exists.
  package nonisolated(nonsending) func signUp(
    _ call: NamedCall, _ request: SignUpRequest, _ context: CallContext
  ) async throws(UserPoolError) -> SignedUpUser {
    let call = try await calls.verifiedCall(call, context)
    let pool = call.pool
    guard !pool.isCreatedByAdministratorsOnly else { throw .signUpNotPermitted }
    let name = try UserNameRules(pool).checkedNew(call.call.userName)
    let password = try Self.checkedPassword(request.password, pool)
    let attributes = try AttributeRules(pool).checkedNew(
      request.attributes, byAdministrator: false, client: call.client, address: name.address)
    var user = try User(name, attributes: attributes, in: pool, at: context.time)
    for address in VerifiedAttribute.allCases where user.attribute(address.name) != nil {
      user.attributes[ExactString(address.flag)] = "false"
    }
    let new = user
    // After the rules that are the same for all names: what they refuse has read nothing, and pushes no count out.
    try calls.count(.signUp, call, context)
    try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.checkIsNew(new, in: pool)
    }
    let takesAliases = try await askPreSignUp(&user, call, request, attributes)
    if let password {
      user.password = try await passwords.verifier(
        of: password.bytes, for: user, in: pool, from: context.client)
    }
    var signedUp = SignedUpUser(user: user, destination: pool.signUpDestination(of: user))
    try await store(signedUp, call, takesAliases: takesAliases, context)
    context.subject.isUser(user)
    if user.status == .confirmed { try await hooks.postConfirmation(call.hookUser(user), .signUp) }
    signedUp.session = try signUpSession(for: user, call.client, context)
    return signedUp
  }

  /// Checks a new password. Only pools with other first factors have users without one.
  private static func checkedPassword(
    _ password: SecretText?, _ pool: UserPool
  ) throws(UserPoolError) -> RetainedSecret? {
    guard let password else {
      guard pool.isPasswordless else {
        throw .parameterRefused("Password", rule: "this user pool has no other first factor")
      }
      return nil
    }
    let secret = RetainedSecret(password)
    try pool.passwordPolicy.check(secret.bytes)
    return secret
  }

  /// Calls PreSignUp, and does what it decided.
  ///
  /// - Returns: true where addresses that it verifies are taken from other users.
  private nonisolated(nonsending) func askPreSignUp(
    _ user: inout User, _ call: ClientCall, _ request: SignUpRequest,
    _ attributes: [ExactString: String]
  ) async throws(UserPoolError) -> Bool {
    let hookUser = HookUser(
      pool: call.pool, clientID: call.client.id, userName: user.name, attributes: attributes,
      clientMetadata: call.call.metadata)
    let decision = try await hooks.preSignUp(hookUser, validationData: request.validationData)
    if decision.confirmsUser { user.status = .confirmed }
    try user.verifyAddresses(of: decision)
    return !decision.verified.isEmpty
  }

  /// Stores a new user, and sends the code. The user stays where the message cannot be sent.
  private nonisolated(nonsending) func store(
    _ signedUp: SignedUpUser, _ call: ClientCall, takesAliases: Bool, _ context: CallContext
  ) async throws(UserPoolError) {
    let (user, destination, secrets) = (signedUp.user, signedUp.destination, secrets)
    var text: MessageText?
    var failure: UserPoolError?
    if let destination {
      do throws(UserPoolError) {
        text = try await messages.text(
          .signUp, by: destination.medium, to: call.hookUser(user), lifetime: CodePurpose.signUp.lifetime)
      } catch .deliveryFailed(let rule) {
        failure = .deliveryFailed(rule: rule)
      }
    }
    let message = text
    let later = try await store.write(at: context.time) {
      rows throws(UserPoolError) -> UserPoolError? in
      // The pool may have changed while the hook ran.
      let pool = try rows.existingPool(call.pool.id)
      guard !pool.isCreatedByAdministratorsOnly else { throw .signUpNotPermitted }
      try rows.add(user, to: pool, forcing: takesAliases)
      guard let message, let destination else { return nil }
      do throws(UserPoolError) {
        try rows.sendCode(.signUp, message, to: destination, of: user, secrets: secrets)
        return nil
      } catch .attemptLimitExceeded {
        return .attemptLimitExceeded
      }
    }
    if let failure = failure ?? later { throw failure }
  }
}

extension UserPool {
  /// Where the code of a sign-up is sent; nil for a confirmed user, and for one without an address that is
  /// verified this way.
  func signUpDestination(of user: User) -> Destination? {
    guard user.status == .unconfirmed else { return nil }
    for attribute in [VerifiedAttribute.phoneNumber, .email]
    where autoVerified.contains(attribute) && !user.isVerified(attribute) {
      if let destination = Destination(attribute, of: user) { return destination }
    }
    return nil
  }
}
