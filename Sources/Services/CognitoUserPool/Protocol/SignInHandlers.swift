internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of operations that sign users in.

extension SignIns {
  func addHandlers(to table: inout Handlers) {
    table.on(InitiateAuth.self) { (input, context) throws(UserPoolError) in
      var request = SignInRequest(
        clientID: input.clientID, flow: input.authFlow, parameters: input.authParameters ?? [:])
      request.metadata = input.clientMetadata ?? [:]
      request.session = input.session
      return AuthOutput(try await initiate(request, context))
    }
    table.on(AdminInitiateAuth.self) { (input, context) throws(UserPoolError) in
      var request = SignInRequest(
        poolID: input.userPoolID, clientID: input.clientID, flow: input.authFlow,
        parameters: input.authParameters ?? [:])
      request.metadata = input.clientMetadata ?? [:]
      request.session = input.session
      return AuthOutput(try await initiate(request, context.of(input.contextData)))
    }
    table.on(RespondToAuthChallenge.self) { (input, context) throws(UserPoolError) in
      var answer = ChallengeAnswer(
        clientID: input.clientID, challenge: input.challengeName,
        responses: input.challengeResponses ?? [:], session: input.session)
      answer.metadata = input.clientMetadata ?? [:]
      return AuthOutput(try await respond(answer, context))
    }
    table.on(AdminRespondToAuthChallenge.self) { (input, context) throws(UserPoolError) in
      var answer = ChallengeAnswer(
        poolID: input.userPoolID, clientID: input.clientID, challenge: input.challengeName,
        responses: input.challengeResponses ?? [:], session: input.session)
      answer.metadata = input.clientMetadata ?? [:]
      return AuthOutput(try await respond(answer, context.of(input.contextData)))
    }
  }
}

extension CallContext {
  /// The context of a user, for calls of a developer's server: the user's address, if the server names it.
  fileprivate func of(_ data: ContextDataType?) -> CallContext {
    var context = self
    if let address = data?.ipAddress { context.address = address }
    return context
  }
}

extension AuthOutput {
  /// The answer to a call that signs in.
  init(_ outcome: SignInOutcome) {
    self.init()
    switch outcome {
    case .challenge(let challenge):
      challengeName = challenge.name
      challengeParameters = challenge.parameters
      session = challenge.session
      changedNothing = challenge.changedNothing
      if !challenge.available.isEmpty { availableChallenges = challenge.available }
    case .signedIn(let tokens, let device):
      challengeParameters = [:]
      authenticationResult = AuthenticationResultType(tokens, newDevice: device)
    }
  }
}
