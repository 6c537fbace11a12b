internal import ServiceOperations
internal import TokenSecurityBase

/// The members of an answer, or why they are missing.
typealias AnswerMembers = Result<[ExactString: SecretText], UserPoolClientError>

/// How steps answer their challenges.
extension SignInMachine {
  /// Answers the last challenge.
  ///
  /// - Parameters:
  ///   - challenge: the challenge.
  ///   - members: the answer.
  ///   - same: makes the step again.
  /// - Returns: the next step; the same one if the session is still valid.
  /// - Throws: the errors that end the sign-in.
  mutating func answer(
    _ challenge: ChallengeNameType, _ members: AnswerMembers, same: (SignInMachine) -> SignInStep
  ) async throws(UserPoolClientError) -> SignInOutcome {
    let output: AuthOutput
    do throws(UserPoolClientError) {
      output = try await respond(challenge, members.get())
    } catch {
      guard error.leavesSession else { throw error }
      return .again(same(self), error)
    }
    // The session is used up from here on.
    return .next(try await next(after: output))
  }
}

extension UserPoolClientError {
  /// True for failures that say nothing about the answer: it can be sent again.
  var isPassing: Bool {
    switch self {
    case .unreachable, .cancelled, .inputInvalid: true
    case .refused(let type, _):
      // The last three are errors that all services of AWS have.
      [
        "TooManyRequestsException", "LimitExceededException", "InternalErrorException", "ThrottlingException",
        "InternalFailure", "ServiceUnavailable",
      ].contains { $0 == type }
    default: false
    }
  }

  /// True if another password, or the same one later, can be right.
  var allowsAnotherPassword: Bool {
    isPassing || isRefusal("NotAuthorizedException") || isRefusal("UserLambdaValidationException")
  }

  /// True if the session of a challenge is still valid. A wrong answer does not use it up, whereas
  /// `NotAuthorizedException` says that it is used up, or has expired.
  var leavesSession: Bool {
    if isPassing { return true }
    guard case .refused(let type, _) = self else { return false }
    return [
      "CodeMismatchException", "ExpiredCodeException", "EnableSoftwareTokenMFAException",
      "InvalidPasswordException", "PasswordHistoryPolicyViolationException", "InvalidParameterException",
    ].contains { $0 == type }
  }
}
