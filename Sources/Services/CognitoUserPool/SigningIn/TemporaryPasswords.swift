internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// The challenge NEW_PASSWORD_REQUIRED, which follows a temporary password.
extension SignIns {
  private static let prefix = "userAttributes."

  func newPasswordChallenge(_ state: SignInState, _ user: User) throws(UserPoolError) -> SignInOutcome {
    let missing = state.pool.requiredAttributes.filter { user.attribute($0) == nil }
    var attributes = JSONObject()
    let readable = AttributeRules(state.pool).readable(user.attributes, by: state.client)
    for name in readable.keys.sorted() { attributes[name.text] = readable[name].map { .string($0) } }
    return try challenge(
      .newPasswordRequired,
      [
        "requiredAttributes": .json(.array(missing.map { .string(Self.prefix + $0) })),
        "userAttributes": .json(.object(attributes)),
      ], state)
  }

  /// Replaces the temporary password.
  nonisolated(nonsending) func setNewPassword(
    _ state: SignInState, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    guard let user = state.user else { throw .sessionInvalid }
    let password = try responses.secret("NEW_PASSWORD")
    let update = try attributes(of: responses, user, state)
    try state.pool.passwordPolicy.check(password.bytes)
    guard
      try await !passwords.isInHistory(password.bytes, of: user, in: state.pool, from: state.context.client)
    else {
      // Before the user is told: who has a temporary password could guess the user's earlier ones otherwise. One that
      // is not among them replaces the password, and ends the session.
      try await countWrongAnswer(of: state.session, at: state.now)
      throw .passwordUsedBefore
    }
    let stored = try await passwords.verifier(
      of: password.bytes, for: user, in: state.pool, from: state.context.client)
    let (session, pool) = (state.session, state.pool)
    let changed = try await store.write(at: state.now) { rows throws(UserPoolError) in
      guard let before = try rows.user(of: session, in: pool), before.status == .forceChangePassword else {
        throw UserPoolError.sessionInvalid
      }
      try rows.use(session)
      var user = before
      user.attributes = update.applied(to: user.attributes)
      user.replacePassword(byOwn: stored, in: pool)
      user.modified = rows.now.wholeSecond
      try rows.store(user, replacing: before, in: pool)
      try rows.removeCode(.forgottenPassword, of: user)
      return user
    }
    if pool.endsSignInsWithPassword { state.context.subject.endedSignIns() }
    var state = state
    state.found = FoundUser(changed)
    state.session.passwordDigest = changed.passwordDigest
    state.session.hasNewPassword = true
    return try await afterFirstFactor(state, changed)
  }

  /// The attributes of an answer.
  ///
  /// - Throws: `attributesRefused` where a required one is missing; `attributeProvided`.
  private func attributes(
    of responses: [ExactString: SecretText], _ user: User, _ state: SignInState
  ) throws(UserPoolError) -> AttributeUpdate {
    var given: AttributeRules.Given = []
    for key in responses.keys.sorted() where key.text.hasPrefix(Self.prefix) {
      let name = String(decoding: key.text.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
      given.append((name: name, value: responses.text(of: key) ?? ""))
    }
    let required = state.pool.requiredAttributes
    // Names that users sign in with change by operations of their own.
    let fixed = required + AliasAttribute.allCases.map(\.name)
    for (name, _) in given where user.attribute(name) != nil && fixed.contains(where: { $0 == name }) {
      throw .attributeProvided(name)
    }
    let update = try AttributeRules(state.pool).checkedUpdate(given, of: user, client: state.client)
    let after = update.applied(to: user.attributes)
    if let missing = required.first(where: { after[ExactString($0)] == nil }) {
      throw .attributesRefused(rule: "Invalid attributes given, \(missing) is missing")
    }
    return update
  }
}

extension UserPool {
  /// The attributes that every user must have, without `sub`.
  var requiredAttributes: [String] {
    allAttributes.filter { $0.isRequired && $0.fullName != "sub" }.map(\.fullName)
  }
}

extension String {
  /// JSON as the value of a challenge's parameter.
  static func json(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.write(value), as: UTF8.self)
  }
}
