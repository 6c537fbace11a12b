internal import CognitoUserPoolClient
internal import Testing

/// Expects an error with this code.
func expectUserPoolError(
  _ code: UserPoolClientError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  await #expect(sourceLocation: sourceLocation) {
    try await body()
  } throws: {
    ($0 as? UserPoolClientError)?.code == code
  }
}
