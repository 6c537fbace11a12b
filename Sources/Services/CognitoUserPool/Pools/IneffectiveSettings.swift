public import TokenSecurityBase

/// A setting of pools or app clients that this service stores and returns, and that changes nothing it does.
///
/// ``all`` is the only list of them: the guide has it, `identity-service user-pool ineffective-settings` prints it, and a
/// call that sets one leaves a warning.
public struct IneffectiveSetting: Sendable {
  /// The kind of object that has settings.
  public enum Owner: ExactString, Sendable, Hashable, CaseIterable {
    /// A user pool.
    case pool
    /// An app client.
    case client
  }

  /// The kind of object that has the setting.
  public let owner: Owner
  /// The member of requests, with full stops between the names: `UserPoolAddOns.AdvancedSecurityMode`.
  public let path: String
  /// The value that asks for nothing, as JSON; nil where each value asks for something.
  let neutral: String?
  /// The only element of the list that changes nothing; nil for the whole member.
  let element: String?
  /// The behaviour of the service instead.
  public let instead: String
  /// The property of the stored pool or client that nothing reads; nil for a setting that is kept as JSON.
  package let property: String?

  private init(
    _ owner: Owner, _ path: String, neutral: String? = nil, element: String? = nil, _ instead: String,
    property: String? = nil
  ) {
    (self.owner, self.path, self.neutral, self.element) = (owner, path, neutral, element)
    (self.instead, self.property) = (instead, property)
  }

  /// The setting, and the value of which alone it is true.
  public var name: String { path + (element.map { " \($0)" } ?? "") }

  /// All settings without effect.
  public static let all: [IneffectiveSetting] = [
    Self(
      .pool, "EmailConfiguration", neutral: #"{"EmailSendingAccount":"COGNITO_DEFAULT"}"#,
      "Messages are sent as the service's settings say."),
    Self(.pool, "LambdaConfig.CustomEmailSender", "Messages are sent as the service's settings say."),
    Self(.pool, "LambdaConfig.CustomSMSSender", "Messages are sent as the service's settings say."),
    Self(.pool, "LambdaConfig.KMSKeyID", "Functions get no encrypted codes."),
    Self(
      .pool, "Policies.SignInPolicy.AllowedFirstAuthFactors", element: "WEB_AUTHN",
      "Passkeys are not built: nobody is offered one."),
    Self(
      .pool, "SmsConfiguration.ExternalId",
      "The member makes SMS a second factor; how they are sent is a setting of the service."),
    Self(
      .pool, "SmsConfiguration.SnsCallerArn",
      "The member makes SMS a second factor; how they are sent is a setting of the service."),
    Self(
      .pool, "SmsConfiguration.SnsRegion",
      "The member makes SMS a second factor; how they are sent is a setting of the service."),
    Self(
      .pool, "SmsMfaConfiguration.SmsConfiguration", "How SMS are sent is a setting of the service."),
    Self(
      .pool, "UserPoolAddOns.AdvancedSecurityAdditionalFlows", "There is no threat protection."),
    Self(.pool, "UserPoolAddOns.AdvancedSecurityMode", neutral: #""OFF""#, "There is no threat protection."),
    Self(
      .pool, "UserPoolTier", neutral: #""ESSENTIALS""#,
      "All pools have the same features, without threat protection."),
    Self(
      .pool, "VerificationMessageTemplate.DefaultEmailOption", neutral: #""CONFIRM_WITH_CODE""#,
      "Messages have a code.", property: "emailOption"),
    Self(
      .pool, "VerificationMessageTemplate.EmailMessageByLink", "Messages have a code.",
      property: "emailByLink"),
    Self(
      .pool, "VerificationMessageTemplate.EmailSubjectByLink", "Messages have a code.",
      property: "emailByLinkSubject"),
    Self(.pool, "WebAuthnConfiguration", "Passkeys are not built."),
    Self(.client, "AllowedOAuthFlows", "There are no hosted pages."),
    Self(.client, "AllowedOAuthFlowsUserPoolClient", neutral: "false", "There are no hosted pages."),
    Self(.client, "AllowedOAuthScopes", "There are no hosted pages."),
    Self(.client, "AnalyticsConfiguration", "Nothing is sent to Amazon Pinpoint."),
    Self(.client, "CallbackURLs", "There are no hosted pages."),
    Self(.client, "DefaultRedirectURI", "There are no hosted pages."),
    Self(
      .client, "EnablePropagateAdditionalUserContextData", neutral: "false",
      "UserContextData is ignored.", property: "propagatesContext"),
    Self(.client, "LogoutURLs", "There are no hosted pages."),
    Self(
      .client, "SupportedIdentityProviders", neutral: #"["COGNITO"]"#, "Users sign in with the pool alone."),
  ]

  /// The settings without effect that a request sets.
  static func set(by request: JSONObject, of owner: Owner) -> [IneffectiveSetting] {
    all.filter { $0.owner == owner && $0.isSet(by: request) }
  }

  private func isSet(by request: JSONObject) -> Bool {
    var value: JSONValue? = .object(request)
    for name in path.parts(at: ".") { value = value?.object?[name] }
    guard let value else { return false }
    if let element { return value.array?.contains { $0.string == element } ?? false }
    if value.array?.isEmpty ?? false { return false }
    return neutral.map { Array($0.utf8) } != JSONWriter.write(value)
  }
}

extension Sequence<IneffectiveSetting> {
  /// The sentence of a warning; nil for none.
  var warning: String? {
    let names = map(\.name)
    guard !names.isEmpty else { return nil }
    return "stored without effect: \(names.joined(separator: ", "))"
  }
}
