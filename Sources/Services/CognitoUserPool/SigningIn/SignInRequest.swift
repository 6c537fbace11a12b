package import ServiceOperations
package import TokenSecurityBase

/// The request that begins a sign-in: `InitiateAuth`, `AdminInitiateAuth`.
package struct SignInRequest: Sendable {
  /// The pool of an administrator's call; nil for users' own.
  package var poolID: String?
  package var clientID: String
  package var flow: AuthFlowType
  /// `AuthParameters`.
  package var parameters: [ExactString: SecretText]
  /// `ClientMetadata`, for hooks.
  package var metadata: [ExactString: String] = [:]
  package var session: String?

  package init(
    poolID: String? = nil, clientID: String, flow: AuthFlowType, parameters: [ExactString: SecretText]
  ) {
    self.poolID = poolID
    self.clientID = clientID
    self.flow = flow
    self.parameters = parameters
  }
}

/// The answer to a challenge: `RespondToAuthChallenge`, `AdminRespondToAuthChallenge`.
package struct ChallengeAnswer: Sendable {
  /// The pool of an administrator's call; nil for users' own.
  package var poolID: String?
  package var clientID: String
  package var challenge: ChallengeNameType
  /// `ChallengeResponses`.
  package var responses: [ExactString: SecretText]
  /// `ClientMetadata`, for hooks.
  package var metadata: [ExactString: String] = [:]
  package var session: String?

  package init(
    poolID: String? = nil, clientID: String, challenge: ChallengeNameType,
    responses: [ExactString: SecretText], session: String?
  ) {
    self.poolID = poolID
    self.clientID = clientID
    self.challenge = challenge
    self.responses = responses
    self.session = session
  }
}

/// The result of a step: a challenge, or the tokens.
package enum SignInOutcome: Sendable {
  case challenge(SignInChallenge)
  case signedIn(IssuedTokens, newDevice: UserDevice?)
}

/// A challenge.
package struct SignInChallenge: Sendable {
  package var name: ChallengeNameType
  package var parameters: [ExactString: String] = [:]
  package var session: String?
  /// `AvailableChallenges`.
  package var available: [ChallengeNameType] = []
  /// True where the call has stored nothing.
  package var changedNothing = false
}

extension [ExactString: SecretText] {
  /// The text of a parameter.
  ///
  /// - Throws: `parameterMissing`.
  func required(_ name: ExactString) throws(UserPoolError) -> String {
    guard let text = text(of: name), !text.isEmpty else { throw .parameterMissing(name.text) }
    return text
  }

  /// The name with which a user signs in, with the bounds that it has in other operations.
  ///
  /// - Throws: `parameterMissing`, `parameterRefused`.
  func userName() throws(UserPoolError) -> String {
    let name = try required("USERNAME")
    guard TextBounds.username.allows(name) else {
      throw .parameterRefused(
        "USERNAME", rule: "it must be 1 to 128 letters, marks, symbols, numbers and punctuation characters")
    }
    return name
  }

  /// A password.
  ///
  /// - Throws: `parameterMissing`.
  func secret(_ name: ExactString) throws(UserPoolError) -> RetainedSecret {
    guard let text = self[name], text.withBytes({ !$0.isEmpty }) else { throw .parameterMissing(name.text) }
    return RetainedSecret(text)
  }
}
