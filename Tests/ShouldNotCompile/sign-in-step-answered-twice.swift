// error: 'step' consumed more than once
import CognitoUserPoolClient

func twice(_ step: consuming CodeStep) async throws -> SignInOutcome {
  _ = try await step.answer("123456")
  return try await step.answer("654321")
}
