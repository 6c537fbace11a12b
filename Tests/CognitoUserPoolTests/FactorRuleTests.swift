internal import CognitoUserPool
internal import Testing

/// The steps of a sign-in after the password.
@Suite struct FactorRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let mode: MFAMode
    /// Offered by the pool, set up, enabled.
    let offered, setUp, enabled: Set<SecondFactor>
    var preferred: SecondFactor?
    var closed: Set<SecondFactor> = []
    let step: SecondFactorStep

    var testDescription: String { "\(mode) \(offered) \(setUp) \(enabled): \(step)" }
  }

  static let all: Set<SecondFactor> = [.sms, .softwareToken, .email]

  static let cases: [Case] = [
    Case(mode: .off, offered: all, setUp: all, enabled: all, preferred: .sms, step: .none),
    Case(mode: .optional, offered: all, setUp: all, enabled: [], step: .none),
    Case(mode: .optional, offered: all, setUp: all, enabled: [.sms], step: .factor(.sms)),
    Case(
      mode: .optional, offered: all, setUp: all, enabled: [.sms, .softwareToken],
      step: .choice([.sms, .softwareToken])),
    Case(
      mode: .optional, offered: all, setUp: all, enabled: all, preferred: .softwareToken,
      step: .factor(.softwareToken)),
    // The pool no longer sends SMS.
    Case(mode: .optional, offered: [.email], setUp: all, enabled: [.sms], preferred: .sms, step: .none),
    // The number was removed.
    Case(mode: .optional, offered: all, setUp: [.email], enabled: [.sms, .email], step: .factor(.email)),
    // A token stays usable where the pool offers none any more.
    Case(
      mode: .optional, offered: [], setUp: [.softwareToken], enabled: [.softwareToken],
      step: .factor(.softwareToken)),
    Case(mode: .on, offered: all, setUp: [], enabled: [], step: .setup([.sms, .softwareToken, .email])),
    Case(mode: .on, offered: [.softwareToken], setUp: [], enabled: [], step: .setup([.softwareToken])),
    // A factor that is set up counts without a preference.
    Case(
      mode: .on, offered: [.softwareToken], setUp: [.softwareToken], enabled: [],
      step: .factor(.softwareToken)),
    Case(mode: .on, offered: all, setUp: [.sms, .email], enabled: [], step: .choice([.sms, .email])),
    Case(mode: .on, offered: all, setUp: all, enabled: [.email], step: .factor(.email)),
    Case(mode: .on, offered: [.sms], setUp: [.email], enabled: [.email], step: .setup([.sms])),
    // A factor with too many wrong codes is not asked for; without another one there is no sign-in.
    Case(
      mode: .optional, offered: all, setUp: all, enabled: all, preferred: .sms, closed: [.sms],
      step: .choice([.softwareToken, .email])),
    Case(
      mode: .optional, offered: all, setUp: all, enabled: [.sms, .email], closed: [.sms],
      step: .factor(.email)),
    Case(mode: .optional, offered: all, setUp: all, enabled: [.sms], closed: [.sms], step: .closed(.sms)),
    Case(
      mode: .on, offered: all, setUp: [.sms, .email], enabled: [], preferred: .email, closed: all,
      step: .closed(.email)),
    // Nor is another one that was never enabled, or is set up by whoever has the password.
    Case(
      mode: .on, offered: all, setUp: [.email], enabled: [.email], closed: [.email], step: .closed(.email)),
  ]

  @Test(arguments: cases) func stepAfterPassword(_ given: Case) {
    var pool = UserPool()
    pool.mfa = given.mode
    pool.hasSMSFactor = given.offered.contains(.sms)
    pool.hasEmailFactor = given.offered.contains(.email)
    pool.hasSoftwareTokenFactor = given.offered.contains(.softwareToken)
    var user = User()
    if given.setUp.contains(.sms) { user.attributes["phone_number"] = "+12065550100" }
    if given.setUp.contains(.email) { user.attributes["email"] = "jane@example.com" }
    if given.setUp.contains(.softwareToken) { user.softwareToken = [1] }
    user.smsFactor = given.enabled.contains(.sms)
    user.emailFactor = given.enabled.contains(.email)
    user.softwareTokenFactor = given.enabled.contains(.softwareToken)
    user.preferredFactor = given.preferred
    for factor in given.closed { user.factorFailures[factor] = FactorFailures.limit }
    #expect(user.secondFactorStep(in: pool) == given.step)
  }
}
