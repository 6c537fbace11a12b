internal import ServiceOperations

extension LambdaConfigType {
  /// The function of a trigger. The older member of PreTokenGeneration, without a version.
  subscript(trigger: HookTrigger) -> String? {
    get { self[keyPath: Self.member(trigger)] }
    set { self[keyPath: Self.member(trigger)] = newValue }
  }

  private static func member(_ trigger: HookTrigger) -> WritableKeyPath<LambdaConfigType, String?> {
    switch trigger {
    case .preSignUp: \.preSignUp
    case .customMessage: \.customMessage
    case .postConfirmation: \.postConfirmation
    case .preAuthentication: \.preAuthentication
    case .postAuthentication: \.postAuthentication
    case .defineAuthChallenge: \.defineAuthChallenge
    case .createAuthChallenge: \.createAuthChallenge
    case .verifyAuthChallengeResponse: \.verifyAuthChallengeResponse
    case .preTokenGeneration: \.preTokenGeneration
    case .userMigration: \.userMigration
    }
  }
}
