internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of sign-up and of forgotten passwords.

extension SignUps {
  func addHandlers(to table: inout Handlers) {
    table.on(SignUp.self) { (input, context) throws(UserPoolError) in
      let call = NamedCall(
        clientID: input.clientID, secretHash: input.secretHash, userName: input.username,
        metadata: input.clientMetadata ?? [:])
      let request = SignUpRequest(
        password: input.password, attributes: (input.userAttributes ?? []).given,
        validationData: (input.validationData ?? []).byName)
      let signedUp = try await signUp(call, request, context)
      return SignUp.Output {
        $0.userConfirmed = signedUp.user.status == .confirmed
        $0.userSub = signedUp.user.sub
        $0.codeDeliveryDetails = signedUp.destination?.members
        $0.session = signedUp.session
      }
    }
    table.on(ConfirmSignUp.self) { (input, context) throws(UserPoolError) in
      let call = NamedCall(
        clientID: input.clientID, secretHash: input.secretHash, userName: input.username,
        metadata: input.clientMetadata ?? [:])
      let session = try await confirmSignUp(
        call, code: input.confirmationCode, takesAliases: input.forceAliasCreation ?? false,
        session: input.session, context)
      return ConfirmSignUp.Output { $0.session = session }
    }
    table.on(ResendConfirmationCode.self) { (input, context) throws(UserPoolError) in
      try await resendConfirmationCode(NamedCall(input), context).delivery
    }
  }
}

extension PasswordRecovery {
  func addHandlers(to table: inout Handlers) {
    table.on(ForgotPassword.self) { (input, context) throws(UserPoolError) in
      try await forgotPassword(NamedCall(input), context).delivery
    }
    table.on(ConfirmForgotPassword.self) { (input, context) throws(UserPoolError) in
      let call = NamedCall(
        clientID: input.clientID, secretHash: input.secretHash, userName: input.username,
        metadata: input.clientMetadata ?? [:])
      try await confirmForgotPassword(
        call, code: input.confirmationCode, password: input.password, context)
      return NoMembers()
    }
  }
}

extension NamedCall {
  fileprivate init(_ input: CodeRequest) {
    self.init(
      clientID: input.clientID, secretHash: input.secretHash, userName: input.username,
      metadata: input.clientMetadata ?? [:])
  }
}

extension Destination {
  /// Where a code was sent.
  var members: CodeDeliveryDetailsType {
    CodeDeliveryDetailsType {
      $0.destination = masked
      $0.deliveryMedium = DeliveryMediumType(rawValue: medium.rawValue)
      $0.attributeName = attribute.name
    }
  }

  var delivery: CodeDeliveryOutput {
    CodeDeliveryOutput { $0.codeDeliveryDetails = members }
  }
}
