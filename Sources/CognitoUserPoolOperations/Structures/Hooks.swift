/// The functions that a pool calls, by their triggers.
public struct LambdaConfigType: Structure {
  /// The function before a sign-up.
  public var preSignUp: String?
  /// The function that makes texts of messages.
  public var customMessage: String?
  /// The function after a confirmation.
  public var postConfirmation: String?
  /// The function before signing in.
  public var preAuthentication: String?
  /// The function after signing in.
  public var postAuthentication: String?
  /// The function that selects challenges.
  public var defineAuthChallenge: String?
  /// The function that creates challenges.
  public var createAuthChallenge: String?
  /// The function that checks answers to challenges.
  public var verifyAuthChallengeResponse: String?
  /// The function before tokens are made.
  public var preTokenGeneration: String?
  /// The function that brings users from another directory.
  public var userMigration: String?
  /// The function before tokens are made, with a version.
  public var preTokenGenerationConfig: PreTokenGenerationVersionConfigType?
  /// The function that sends SMS.
  public var customSMSSender: CustomSMSLambdaVersionConfigType?
  /// The function that sends e-mail.
  public var customEmailSender: CustomEmailLambdaVersionConfigType?
  /// The key that encrypts codes for functions.
  public var kmsKeyID: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PreSignUp", &preSignUp, .arn)
    m.optional("CustomMessage", &customMessage, .arn)
    m.optional("PostConfirmation", &postConfirmation, .arn)
    m.optional("PreAuthentication", &preAuthentication, .arn)
    m.optional("PostAuthentication", &postAuthentication, .arn)
    m.optional("DefineAuthChallenge", &defineAuthChallenge, .arn)
    m.optional("CreateAuthChallenge", &createAuthChallenge, .arn)
    m.optional("VerifyAuthChallengeResponse", &verifyAuthChallengeResponse, .arn)
    m.optional("PreTokenGeneration", &preTokenGeneration, .arn)
    m.optional("UserMigration", &userMigration, .arn)
    m.optional("PreTokenGenerationConfig", &preTokenGenerationConfig)
    m.optional("CustomSMSSender", &customSMSSender)
    m.optional("CustomEmailSender", &customEmailSender)
    m.optional("KMSKeyID", &kmsKeyID, .arn)
  }
}

/// A function and the version of its event.
public struct PreTokenGenerationVersionConfigType: Structure {
  /// The version of the event.
  public var lambdaVersion = PreTokenGenerationLambdaVersionType.version1
  /// The function's ARN.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The version of the event before tokens are made.
public enum PreTokenGenerationLambdaVersionType: ExactString, MemberChoice {
  /// Version 1.
  case version1 = "V1_0"
  /// Version 2.
  case version2 = "V2_0"
  /// Version 3.
  case version3 = "V3_0"
}

/// A function that sends SMS.
public struct CustomSMSLambdaVersionConfigType: Structure {
  /// The version of the event.
  public var lambdaVersion = CustomSMSSenderLambdaVersionType.version1
  /// The function's ARN.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The version of its event.
public enum CustomSMSSenderLambdaVersionType: ExactString, MemberChoice {
  /// Version 1.
  case version1 = "V1_0"
}

/// A function that sends e-mail.
public struct CustomEmailLambdaVersionConfigType: Structure {
  /// The version of the event.
  public var lambdaVersion = CustomEmailSenderLambdaVersionType.version1
  /// The function's ARN.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The version of its event.
public enum CustomEmailSenderLambdaVersionType: ExactString, MemberChoice {
  /// Version 1.
  case version1 = "V1_0"
}
