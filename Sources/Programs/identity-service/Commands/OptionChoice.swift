internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// One of a fixed set of values of an option. Completions and help have the values, and a refusal has them with the
/// one that is like the given value.
protocol OptionChoice: CaseIterable, Sendable {
  /// The value in the command line.
  var optionName: String { get }
}

extension OptionChoice where Self: RawRepresentable, RawValue == ExactString {
  var optionName: String { rawValue.text }
}

extension OptionChoice {
  private static var names: [String] { allCases.map(\.optionName) }

  /// The values for completions.
  static var completion: CompletionKind { .list(names) }

  /// The values for help texts.
  static var values: String { "Values: \(names.joined(separator: ", "))." }

  /// Reads a value.
  ///
  /// - Parameter text: the text of the command line.
  /// - Returns: the value.
  /// - Throws: `ValidationError` with all values, and those like the text.
  static func named(_ text: String) throws -> Self {
    if let found = allCases.first(where: { $0.optionName.isIdentical(to: text) }) { return found }
    throw ValidationError(
      (NearNames.question(near(text)).map { "\($0) " } ?? "")
        + "The values are \(names.joined(separator: ", ")).")
  }

  /// The values that are like a misspelt one, or that have all of its words.
  private static func near(_ text: String) -> [String] {
    let near = NearNames.of(text, among: names)
    guard near.isEmpty else { return near }
    let words = Self.words(text)
    return names.filter { words.isSubset(of: Self.words($0)) }
  }

  private static func words(_ text: String) -> Set<ExactString> {
    Set(text.lowercasedASCII.parts(at: "_").map { ExactString($0) })
  }
}

extension AliasAttributeType: OptionChoice {}
extension UsernameAttributeType: OptionChoice {}
extension VerifiedAttributeType: OptionChoice {}
extension AuthFlow: OptionChoice {}

/// Whether sign-ins need a second factor.
enum MFAChoice: ExactString, OptionChoice {
  case off, optional, required

  /// The value of `MfaConfiguration`.
  var member: JSONValue {
    switch self {
    case .off: "OFF"
    case .optional: "OPTIONAL"
    case .required: "ON"
    }
  }
}

/// A second factor.
enum FactorChoice: ExactString, OptionChoice {
  case totp, sms, email

  /// The member of `SetUserPoolMfaConfig` that a pool with the factor has.
  var poolMember: String {
    switch self {
    case .totp: "SoftwareTokenMfaConfiguration"
    case .sms: "SmsMfaConfiguration"
    case .email: "EmailMfaConfiguration"
    }
  }

  /// The member in a pool that has no other settings of the factor.
  var poolValue: JSONValue { self == .totp ? ["Enabled": true] : .object([:]) }

  /// The member of `AdminSetUserMFAPreference`.
  var userMember: String {
    switch self {
    case .totp: "SoftwareTokenMfaSettings"
    case .sms: "SMSMfaSettings"
    case .email: "EmailMfaSettings"
    }
  }
}

/// Whether a pool tracks devices.
enum DeviceChoice: ExactString, OptionChoice {
  case off
  case optIn = "opt-in"
  case always

  /// The value of `DeviceConfiguration`; nil for none.
  var member: JSONValue? {
    guard self != .off else { return nil }
    return ["ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": .bool(self == .optIn)]
  }
}

/// How an invitation is sent.
enum MediumChoice: ExactString, OptionChoice {
  case email, sms

  /// The element of `DesiredDeliveryMediums`.
  var member: String { self == .email ? "EMAIL" : "SMS" }
}
