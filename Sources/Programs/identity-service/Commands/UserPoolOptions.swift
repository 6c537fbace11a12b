internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of user pools that have options, for `create` and `update`.
struct UserPoolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What a code verifies at sign-up (AutoVerifiedAttributes). Repeatable. \(VerifiedAttributeType.values)",
      valueName: "attribute"),
    completion: VerifiedAttributeType.completion, transform: { try VerifiedAttributeType.named($0) })
  var autoVerify: [VerifiedAttributeType] = []
  @Option(
    help: ArgumentHelp(
      "Whether sign-ins need a second factor (MfaConfiguration). \(MFAChoice.values)", valueName: "when"),
    completion: MFAChoice.completion, transform: { try MFAChoice.named($0) })
  var mfa: MFAChoice?
  @Option(
    help: ArgumentHelp(
      "A second factor of the pool. Others are switched off. Repeatable. \(FactorChoice.values) (default: those that the pool has, else totp)",
      valueName: "factor"),
    completion: FactorChoice.completion, transform: { try FactorChoice.named($0) })
  var factor: [FactorChoice] = []
  @Option(
    help: ArgumentHelp(
      "Whether the pool tracks devices; opt-in: users decide which are remembered (DeviceConfiguration). \(DeviceChoice.values)",
      valueName: "when"),
    completion: DeviceChoice.completion, transform: { try DeviceChoice.named($0) })
  var trackDevices: DeviceChoice?
  @Option(
    help: ArgumentHelp(
      "The least number of characters of passwords, 6 to 99 (MinimumLength).", valueName: "count"))
  var passwordLength: Int64?
  @Flag(
    inversion: .prefixedNo,
    help: "Refuse to delete the pool (DeletionProtection).")
  var deletionProtection: Bool?
  @Option(help: ArgumentHelp("A tag (UserPoolTags). Repeatable.", valueName: "key=value"))
  var tag: [String] = []

  func validate() throws {
    guard mfa != .off || factor.isEmpty else {
      throw ValidationError("--mfa off and --factor exclude each other")
    }
  }

  /// Changes the settings of a pool: the members of `UpdateUserPool` and `SetUserPoolMfaConfig`.
  func apply(to input: inout OptionInput) throws {
    input.set("AutoVerifiedAttributes", "--auto-verify", texts: autoVerify.map(\.optionName))
    input.set(
      "Policies.PasswordPolicy.MinimumLength", "--password-length",
      passwordLength.map { .number(JSONNumber($0)) })
    input.set(
      "DeletionProtection", "--deletion-protection",
      deletionProtection.map { $0 ? "ACTIVE" : "INACTIVE" })
    if let trackDevices {
      input.members["DeviceConfiguration"] = trackDevices.member
      input.note("DeviceConfiguration", "--track-devices", trackDevices.optionName)
    }
    if let mfa { input.note("MfaConfiguration", "--mfa", mfa.optionName) }
    for (key, value) in try NamedValues.pairs(tag, "--tag") {
      input.members.set(["UserPoolTags", key][...], to: .string(value))
      input.note("UserPoolTags", "--tag", "\(key)=\(value)")
    }
    try applyFactors(to: &input.members)
  }

  private func applyFactors(to members: inout JSONObject) throws {
    guard mfa != nil || !factor.isEmpty else { return }
    let present = FactorChoice.allCases.filter { members[$0.poolMember] != nil }
    let chosen = factor.isEmpty ? (present.isEmpty ? [.totp] : present) : factor
    let isOff =
      mfa.map { $0 == .off } ?? (members["MfaConfiguration"]?.string ?? "OFF").isIdentical(to: "OFF")
    guard !isOff || factor.isEmpty else {
      throw OperatingError(
        "--factor \(factor.map(\.optionName).joined(separator: " --factor ")): sign-ins need no second factor; add --mfa optional or --mfa required"
      )
    }
    if let mfa { members["MfaConfiguration"] = mfa.member }
    for one in FactorChoice.allCases {
      let isOn = !isOff && chosen.contains(one)
      // Not null: the member is absent.
      let none: JSONValue? = nil
      members[one.poolMember] = isOn ? members[one.poolMember] ?? one.poolValue : none
    }
  }
}
