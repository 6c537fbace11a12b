internal import Records
internal import TokenSecurityBase

extension OwnAccounts {
  /// Sends a code with which the user verifies an address (`GetUserAttributeVerificationCode`).
  ///
  /// - Parameters:
  ///   - name: `email` or `phone_number`.
  ///   - accessToken: the user's access token.
  ///   - metadata: `ClientMetadata`, for hooks.
  ///   - context: the call.
  /// - Returns: where the code was sent: the new address where one waits for its verification.
  /// - Throws: `attributesRefused`, `attemptLimitExceeded` and others.
  package nonisolated(nonsending) func sendVerificationCode(
    _ name: String, accessToken: String, metadata: [ExactString: String], _ context: CallContext
  ) async throws(UserPoolError) -> Destination {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    let attribute = try Self.verifiedAttribute(name)
    try await count(.attributeCode, of: caller.user, context)
    guard let destination = caller.user.unverifiedDestination(attribute) else {
      throw .attributesRefused(rule: "User does not have the attribute \(attribute.name).")
    }
    let hookUser = HookUser(
      caller.user, in: caller.pool, clientID: caller.clientID, clientMetadata: metadata)
    try await messages.sendCode(
      .attribute(attribute), .verifyUserAttribute, to: destination, for: hookUser, caller.user,
      context
    ) { $0.unverifiedDestination(attribute) == destination }
    return destination
  }

  /// Verifies an address with a code (`VerifyUserAttribute`).
  ///
  /// - Parameters:
  ///   - name: `email` or `phone_number`.
  ///   - code: the code as it was entered.
  ///   - accessToken: the user's access token.
  ///   - context: the call.
  /// - Throws: `attributesRefused`, `codeMismatch`, `codeExpired`, `tooManyFailedAttempts`, `aliasExists`,
  ///   `attemptLimitExceeded` and others.
  package nonisolated(nonsending) func verifyAttribute(
    _ name: String, code: String, accessToken: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    let attribute = try Self.verifiedAttribute(name)
    try await count(.verifyAttribute, of: caller.user, context)
    let (pool, sub, secrets) = (caller.pool, caller.user.sub, secrets)
    let refusal = try await store.write(at: context.time) {
      rows throws(UserPoolError) -> UserPoolError? in
      let before = try rows.existingUser(sub: sub, in: pool)
      let row: StoredCode
      switch try rows.checkCode(code, .attribute(attribute), of: before, secrets: secrets) {
      case .refused(let error): return error
      case .right(let found): row = found
      }
      var user = before
      if before.pending[attribute.rawValue] == row.value {
        user.pending[attribute.rawValue] = nil
        user.attributes[attribute.rawValue] = row.value
      } else if !row.isAddress(of: before) {
        // The address changed since the code was sent.
        throw .codeExpired
      }
      user.attributes[ExactString(attribute.flag)] = "true"
      user.modified = context.time.wholeSecond
      try rows.store(user, replacing: before, in: pool)
      try rows.removeCode(.attribute(attribute), of: user)
      return nil
    }
    if let refusal { throw refusal }
  }

  private static func verifiedAttribute(_ name: String) throws(UserPoolError) -> VerifiedAttribute {
    guard let attribute = VerifiedAttribute(name: name) else {
      throw .attributesRefused(
        rule: "Invalid attribute name. Only phone_number and email can be verified.")
    }
    return attribute
  }
}

extension User {
  /// The address that a code verifies: the one that waits, else the present one.
  fileprivate func unverifiedDestination(_ attribute: VerifiedAttribute) -> Destination? {
    pending[attribute.rawValue].map { Destination(attribute, $0) }
      ?? Destination(attribute, of: self)
  }
}
