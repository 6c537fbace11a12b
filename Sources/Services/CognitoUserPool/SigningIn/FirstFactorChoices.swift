internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// The flow USER_AUTH, whose first factor the user selects.
extension SignIns {
  nonisolated(nonsending) func beginChoice(
    _ state: SignInState, _ request: SignInRequest
  ) async throws(UserPoolError) -> SignInOutcome {
    if let text = request.session { return try await signIn(state, afterConfirmation: text) }
    let available = state.firstFactors
    if let name = request.parameters.text(of: "PREFERRED_CHALLENGE"),
      let preferred = ChallengeNameType(name: name), available.contains(preferred)
    {
      return try await begin(preferred, state, request.parameters)
    }
    var state = state
    state.session.choices = available.map(\.name)
    return try challenge(.selectChallenge, [:], state, available: available)
  }

  /// Begins with the factor that the user selected. An answer that selects none is counted for the session.
  nonisolated(nonsending) func select(
    _ state: SignInState, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    let selected: ChallengeNameType
    do throws(UserPoolError) { selected = try state.selected(by: responses) } catch {
      try await countWrongAnswer(of: state.session, at: state.now)
      throw error
    }
    // A password uses the session up only if it is right.
    if selected == .password { return try await signIn(state, password: responses.secret("PASSWORD")) }
    try await use(state)
    return try await begin(selected, state, responses)
  }

  private nonisolated(nonsending) func begin(
    _ factor: ChallengeNameType, _ state: SignInState, _ parameters: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    var state = state
    state.session.choices = []
    switch factor {
    case .password:
      guard parameters["PASSWORD"] != nil else { return try challenge(.password, [:], state) }
      return try await signIn(state, password: parameters.secret("PASSWORD"))
    case .passwordSRP:
      guard parameters["SRP_A"] != nil else { return try challenge(.passwordSRP, [:], state) }
      return try await beginSRP(state, parameters, isIssued: true)
    default:
      state.session.isFirstFactor = true
      return try await sendCode(factor, state)
    }
  }

  /// Signs a user in who has just confirmed the sign-up.
  private nonisolated(nonsending) func signIn(
    _ state: SignInState, afterConfirmation text: String
  ) async throws(UserPoolError) -> SignInOutcome {
    let session = try SignInSession(
      opening: text, client: state.client, challenge: SignInSession.afterConfirmation, at: state.now, secrets)
    guard let user = state.user, session.sub == user.sub, session.passwordDigest == user.passwordDigest else {
      throw .sessionInvalid
    }
    try await store.write(at: state.now) { rows throws(UserPoolError) in try rows.use(session) }
    return try await afterFirstFactor(state, user)
  }
}

extension SignInState {
  /// The factor that an answer selects.
  ///
  /// - Throws: `parameterMissing`, `parameterRefused`.
  fileprivate func selected(by responses: [ExactString: SecretText]) throws(UserPoolError)
    -> ChallengeNameType
  {
    let answer = try responses.required("ANSWER")
    guard session.choices.contains(where: { $0 == answer }), let selected = ChallengeNameType(name: answer)
    else {
      throw .parameterRefused("ANSWER", rule: "it must be one of \(session.choices.joined(separator: ", "))")
    }
    return selected
  }

  /// The first factors that the user may select. A user with a second factor, or with a temporary password,
  /// needs the password.
  var firstFactors: [ChallengeNameType] {
    // Both are computed for all names, so that the time does not show who exists.
    let row = found.row
    let needsPassword = row.status == .forceChangePassword || row.secondFactorStep(in: pool) != .none
    let own = row.firstFactors(in: pool).filter { !needsPassword || $0 == .password }
    let simulated = simulatedFirstFactors
    let factors = isUser ? own : simulated
    return (factors.isEmpty ? [.password] : factors).flatMap { factor -> [ChallengeNameType] in
      switch factor {
      case .password: [.passwordSRP, .password]
      case .emailCode: [.emailOTP]
      case .smsCode: [.smsOTP]
      case .webAuthn: []
      }
    }
  }

  /// The first factors of a user who does not exist: such as a user of the pool may have, the same each time.
  /// Some have the password alone, as users with a second factor and users without a verified address do.
  private var simulatedFirstFactors: [FirstFactor] {
    let digest = session.nameDigest
    func isTrue(_ index: Int, inEight count: UInt8) -> Bool {
      index < digest.count && digest[index] & 7 < count
    }
    let needsPassword = pool.mfa == .on || (pool.mfa == .optional && isTrue(8, inEight: 4))
    func hasVerified(_ attribute: VerifiedAttribute, _ index: Int) -> Bool {
      let isTyped = attribute.isForm(of: session.typedName) || pool.isAddressOfAll(attribute)
      // An address is an alias only while it is verified.
      if isTyped, pool.aliasAttributes.contains(where: { $0.rawValue == attribute.rawValue }) { return true }
      let isUsual = pool.autoVerified.contains(attribute) || isTyped
      return isTrue(index, inEight: isUsual ? 7 : 4)
    }
    return pool.firstFactors.filter { factor in
      switch factor {
      case .password: true
      case .emailCode: !needsPassword && hasVerified(.email, 9)
      case .smsCode: !needsPassword && hasVerified(.phoneNumber, 10)
      case .webAuthn: false
      }
    }
  }
}
