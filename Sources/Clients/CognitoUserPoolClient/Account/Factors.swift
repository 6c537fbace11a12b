internal import ServiceOperations
internal import TokenSecurityBase

/// The second factors of a user that are on.
public struct MFAPreference: Sendable, Hashable {
  /// The factors that are on. Those that this module does not know are left out.
  public let enabled: [MFAMethod]
  /// The factor that is asked for without a choice; nil for none.
  public let preferred: MFAMethod?

  init(enabled: [String], preferred: String?) {
    self.enabled = enabled.compactMap { MFAMethod(name: $0) }
    self.preferred = preferred.flatMap { MFAMethod(name: $0) }
  }
}

/// The factors that a user can sign in with.
public struct UserAuthFactors: Sendable, Hashable {
  /// The user's name.
  public let username: String
  /// The first factors. Those that this module does not know are left out.
  public let firstFactors: [FirstFactor]
  /// The second factors that are on.
  public let mfa: MFAPreference
}

/// A setting of a second factor.
@nonexhaustive public enum MFASetting: Sendable, Hashable, CaseIterable {
  /// The factor is not asked for.
  case off
  /// The factor can be chosen.
  case on
  /// The factor is on and is asked for without a choice. At most one factor is preferred.
  case preferred
}

extension UserPoolClient {
  /// `GetUser`: the second factors of the signed-in user.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Returns: the factors that are on, and the preferred one.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func mfaPreference(accessToken: String) async throws(UserPoolClientError) -> MFAPreference {
    try await user(accessToken: accessToken).mfa
  }

  /// `SetUserMFAPreference`: sets second factors of the signed-in user. A software token must be verified
  /// before it can be switched on; verification alone does not switch it on.
  ///
  /// - Parameters:
  ///   - sms: codes in text messages. Default: unchanged.
  ///   - softwareToken: codes of an authenticator app. Default: unchanged.
  ///   - email: codes in e-mails. Default: unchanged.
  ///   - accessToken: the user's access token.
  /// - Throws: `inputInvalid` for two preferred factors or no setting at all; `refused`, `responseMalformed`,
  ///   `unreachable`, `cancelled`.
  public func setMFAPreference(
    sms: MFASetting? = nil, softwareToken: MFASetting? = nil, email: MFASetting? = nil, accessToken: String
  ) async throws(UserPoolClientError) {
    let settings = [sms, softwareToken, email].compactMap(\.self)
    guard !settings.isEmpty else { throw .inputInvalid(rule: "no second factor is set") }
    guard settings.count(where: { $0 == .preferred }) <= 1 else {
      throw .inputInvalid(rule: "more than one second factor is preferred")
    }
    _ = try await calls.call(SetUserMFAPreference.self, accessToken: accessToken) {
      $0.smsMFASettings = sms.map { setting in
        SMSMfaSettingsType {
          $0.enabled = setting != .off
          $0.preferredMFA = setting == .preferred
        }
      }
      $0.softwareTokenMFASettings = softwareToken.map { setting in
        SoftwareTokenMfaSettingsType {
          $0.enabled = setting != .off
          $0.preferredMFA = setting == .preferred
        }
      }
      $0.emailMFASettings = email.map { setting in
        EmailMfaSettingsType {
          $0.enabled = setting != .off
          $0.preferredMFA = setting == .preferred
        }
      }
    }
  }

  /// `SetUserSettings`: switches codes in text messages on or off for the signed-in user, as older clients do. All
  /// second factors have ``setMFAPreference(sms:softwareToken:email:accessToken:)``.
  ///
  /// - Parameters:
  ///   - isOn: true for codes to the user's `phone_number`.
  ///   - accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func setUserSettings(smsCodes isOn: Bool, accessToken: String) async throws(UserPoolClientError) {
    let sms = MFAOptionType {
      $0.deliveryMedium = .sms
      $0.attributeName = "phone_number"
    }
    _ = try await calls.call(SetUserSettings.self, accessToken: accessToken) {
      $0.mfaOptions = isOn ? [sms] : []
    }
  }

  /// `GetUserAuthFactors`: the factors that the signed-in user can sign in with.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Returns: first factors, for sign-ins that begin with a choice, and second ones.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func authFactors(accessToken: String) async throws(UserPoolClientError) -> UserAuthFactors {
    let output = try await calls.call(GetUserAuthFactors.self, accessToken: accessToken)
    let firstFactors = (output.configuredUserAuthFactors ?? []).compactMap {
      FirstFactor(rawValue: $0.rawValue)
    }
    return UserAuthFactors(
      username: output.username, firstFactors: firstFactors,
      mfa: MFAPreference(enabled: output.userMFASettingList ?? [], preferred: output.preferredMFASetting))
  }

  /// `AssociateSoftwareToken`: makes the secret of an authenticator app for the signed-in user.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Returns: the secret, to be shown to the user, as a QR code or as text.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func associateSoftwareToken(
    accessToken: String
  ) async throws(UserPoolClientError) -> SoftwareTokenSecret {
    let output = try await calls.call(AssociateSoftwareToken.self) { $0.accessToken = accessToken }
    return try SoftwareTokenSecret(calls.present(output.secretCode, "SecretCode"))
  }

  /// `VerifySoftwareToken`: proves that the authenticator app of the signed-in user has the secret.
  ///
  /// - Parameters:
  ///   - code: the app's code, six digits.
  ///   - deviceName: a name of the user's device. Default: none.
  ///   - accessToken: the user's access token.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`. The refusal of a
  ///   wrong code is of the type `EnableSoftwareTokenMFAException`; another code can be tried.
  public func verifySoftwareToken(
    code: String, deviceName: String? = nil, accessToken: String
  ) async throws(UserPoolClientError) {
    _ = try await calls.verifySoftwareToken(code, deviceName: deviceName) { $0.accessToken = accessToken }
  }
}

extension UserPoolCalls {
  /// `VerifySoftwareToken` with an access token or a session, which the closure sets.
  ///
  /// - Returns: the next session.
  func verifySoftwareToken(
    _ code: String, deviceName: String?, _ set: (inout VerifySoftwareToken.Input) -> Void
  ) async throws(UserPoolClientError) -> String? {
    guard TextBounds.softwareTokenCode.allows(code) else {
      throw .inputInvalid(rule: "a code of a software token has six digits")
    }
    let output = try await call(VerifySoftwareToken.self) {
      set(&$0)
      $0.userCode = code
      $0.friendlyDeviceName = deviceName
    }
    // The model has this status, beside the exception for a wrong code.
    guard output.status == .success else {
      throw .refused(type: "EnableSoftwareTokenMFAException", message: "the status is not SUCCESS")
    }
    return output.session
  }
}
