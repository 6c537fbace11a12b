internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of a user pool that can change. `UpdateUserPool` replaces all of its members, and
/// `SetUserPoolMfaConfig` all of its own: here they are one object, so that what a change does not name stays.
enum UserPoolSettingsState {
  /// Members that responses have twice, under an older name too. Of two values the service takes one.
  private static let twins = [
    ("SmsVerificationMessage", "VerificationMessageTemplate.SmsMessage"),
    ("EmailVerificationMessage", "VerificationMessageTemplate.EmailMessage"),
    ("EmailVerificationSubject", "VerificationMessageTemplate.EmailSubject"),
    ("LambdaConfig.PreTokenGeneration", "LambdaConfig.PreTokenGenerationConfig"),
    (
      "AdminCreateUserConfig.UnusedAccountValidityDays",
      "Policies.PasswordPolicy.TemporaryPasswordValidityDays"
    ),
  ]

  /// The members of the SMS factor that are also settings of the pool.
  private static let smsMembers = ["SmsAuthenticationMessage", "SmsConfiguration"]

  /// A pool, and its settings as members.
  typealias State = (row: UserPool, settings: JSONObject)

  /// Reads the settings of a pool.
  static func read(_ id: OptionInput, _ calls: OperatorCalls) async throws -> State {
    // Refuses what is no id.
    try await calls.call(GetUserPoolMfaConfig.self, id)
    // The row first: a change after it is noticed when the settings are stored.
    let row = try await id.explaining {
      try await calls.services.userPools.pools.describePool(
        id.members["UserPoolId"]?.string ?? "", at: .now
      ).pool
    }
    let pool = try await calls.call(DescribeUserPool.self, id)["UserPool"]?.object ?? JSONObject()
    var state = pool.members(of: UpdateUserPool.self)
    state["PoolName"] = pool["Name"]
    state["UserPoolTags"] = state["UserPoolTags"] ?? .object([:])
    let factors = try await calls.call(GetUserPoolMfaConfig.self, id)
    for member in factors.members { state[member.name] = member.value }
    lift(&state)
    return (row, state)
  }

  /// Takes the members of the SMS factor for those of the pool.
  private static func lift(_ state: inout JSONObject) {
    guard var factor = state["SmsMfaConfiguration"]?.object else { return }
    for name in smsMembers {
      if let value = factor[name] { state[name] = value }
      factor[name] = nil
    }
    state["SmsMfaConfiguration"] = .object(factor)
  }

  /// Merges the members of a file into settings.
  static func merge(_ patch: JSONObject, into state: inout JSONObject) {
    for (one, other) in twins {
      let (one, other) = (one.parts(at: ".")[...], other.parts(at: ".")[...])
      let (hasOne, hasOther) = (patch.value(at: one) != nil, patch.value(at: other) != nil)
      if hasOne, !hasOther { state.remove(other) }
      if hasOther, !hasOne { state.remove(one) }
    }
    state.merge(patch)
    lift(&state)
  }

  /// Stores settings, all in one transaction.
  ///
  /// - Parameters:
  ///   - input: the new settings.
  ///   - old: the present ones.
  ///   - id: the pool.
  ///   - calls: the operations.
  /// - Returns: what changed, and what was to be changed and stayed.
  /// - Throws: a refusal; `changedMeanwhile`.
  static func write(
    _ input: OptionInput, over old: State, _ id: OptionInput, _ calls: OperatorCalls
  ) async throws -> [SettingChange] {
    let wanted = old.settings.changes(to: input.members)
    guard !wanted.isEmpty else { return [] }
    let context = CallContext()
    try await input.explaining {
      try await calls.services.userPools.pools.updatePool(
        OperatorCalls.request(
          UpdateUserPool.Input.self, settings(input.members, id), else: UserPoolError.request),
        factors: OperatorCalls.request(
          SetUserPoolMfaConfig.Input.self, factors(input.members, id), else: UserPoolError.request),
        over: old.row, context)
    }
    OperatorCalls.report(context.subject)
    return try await SettingChange.made(wanted, old.settings, read(id, calls).settings)
  }

  /// The input of `UpdateUserPool`.
  private static func settings(_ state: JSONObject, _ id: OptionInput) -> JSONObject {
    var members = state.members(of: UpdateUserPool.self)
    members["UserPoolId"] = id.members["UserPoolId"]
    // An absent member leaves the tags as they are.
    members["UserPoolTags"] = members["UserPoolTags"] ?? .object([:])
    return members
  }

  /// The input of `SetUserPoolMfaConfig`.
  private static func factors(_ state: JSONObject, _ id: OptionInput) -> JSONObject {
    var members = state.members(of: SetUserPoolMfaConfig.self)
    members["UserPoolId"] = id.members["UserPoolId"]
    // Without a second factor in sign-ins a pool has none.
    if state["MfaConfiguration"]?.string?.isIdentical(to: "OFF") == true {
      for factor in FactorChoice.allCases { members[factor.poolMember] = nil }
    }
    if var sms = members["SmsMfaConfiguration"]?.object {
      for name in smsMembers { sms[name] = state[name] }
      members["SmsMfaConfiguration"] = .object(sms)
    }
    return members
  }

  /// Sets the factors of a new pool.
  static func setFactors(_ wanted: OptionInput, _ id: OptionInput, _ calls: OperatorCalls) async throws {
    var input = wanted
    input.members = factors(wanted.members, id)
    try await calls.call(SetUserPoolMfaConfig.self, input)
  }
}
