internal import ServiceOperations
internal import TokenSecurityBase

/// The input of a call that names the app client.
protocol ClientInput: Structure {
  var clientID: String { get set }
}

/// The input of a call that can contain the endpoint for analytics.
protocol AnalyticsInput: ClientInput {
  var analyticsMetadata: AnalyticsMetadataType? { get set }
}

/// The input of a call that names a user and proves the client's secret with `SecretHash`.
protocol UserInput: AnalyticsInput {
  var username: String { get set }
  var secretHash: String? { get set }
}

/// The input of a call with the client's secret itself.
protocol ClientSecretInput: ClientInput {
  var clientSecret: SecretText? { get set }
}

/// The input of a call with an access token.
protocol AccessTokenInput: Structure {
  var accessToken: String { get set }
}

extension SignUp.Input: UserInput {}
extension ConfirmSignUp.Input: UserInput {}
extension CodeRequest: UserInput {}
extension ConfirmForgotPassword.Input: UserInput {}

extension InitiateAuth.Input: AnalyticsInput {}
extension RespondToAuthChallenge.Input: AnalyticsInput {}

extension GetTokensFromRefreshToken.Input: ClientSecretInput {}
extension RevokeToken.Input: ClientSecretInput {}

extension AccessTokenOnly: AccessTokenInput {}
extension UpdateUserAttributes.Input: AccessTokenInput {}
extension DeleteUserAttributes.Input: AccessTokenInput {}
extension GetUserAttributeVerificationCode.Input: AccessTokenInput {}
extension VerifyUserAttribute.Input: AccessTokenInput {}
extension ChangePassword.Input: AccessTokenInput {}
extension SetUserMFAPreference.Input: AccessTokenInput {}
extension SetUserSettings.Input: AccessTokenInput {}
extension ConfirmDevice.Input: AccessTokenInput {}
extension UpdateDeviceStatus.Input: AccessTokenInput {}
extension ListDevices.Input: AccessTokenInput {}

extension [ExactString: String] {
  /// The texts as a member of a request. No text is an absent member.
  var asMember: Self? { isEmpty ? nil : self }
}
