internal import CognitoUserPool
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

/// Every member of a request that the model calls sensitive is in the table of guesses, or is here with the reason
/// why it is no guess.
@Suite struct GuessCoverageTests {
  private static let random = "made by the service with 128 random bits at least: no number of tries finds it"
  private static let new = "a new secret, which is stored and compared with none"
  private static let name = "names what a call is about"

  /// By member, or by operation and member.
  private static let reasons = [
    "AccessToken": random, "ClientSecret": random + ", or at least 24 characters of an administrator",
    "RefreshToken": random, "SecretHash": "a digest with the client's secret, which is " + random,
    "Session": random, "Token": random,
    "AdminCreateUser.TemporaryPassword": new, "AdminSetUserPassword.Password": new, "SignUp.Password": new,
    "ClientId": name, "Username": name, "Value": "an attribute",
  ]

  /// Flows and challenges in which nothing is compared that could be guessed.
  private static let harmless = [
    "CUSTOM_AUTH": "begins a flow", "DEVICE_SRP_AUTH": "begins a proof", "MFA_SETUP": "has a session alone",
    "PASSWORD_SRP": "begins a proof", "REFRESH_TOKEN": random, "REFRESH_TOKEN_AUTH": random,
    "SELECT_MFA_TYPE": "selects a factor", "USER_SRP_AUTH": "begins a proof", "WEB_AUTHN": "is not built",
  ]

  private static func isSensitive(_ kind: MemberKind) -> Bool {
    switch kind {
    case .secret: true
    case .text(let bounds): bounds.isSensitive
    case .map(_, let values, _, let isSensitive): isSensitive || Self.isSensitive(values)
    case .list(let element, _): Self.isSensitive(element)
    default: false
    }
  }

  /// The sensitive members of a structure and of those in it.
  private static func sensitive(_ members: [MemberSchema]) -> [String] {
    members.flatMap { member -> [String] in
      let own = isSensitive(member.kind) ? [member.name.text] : []
      switch member.kind {
      case .structure(let members), .list(.structure(let members), _): return own + sensitive(members)
      default: return own
      }
    }
  }

  @Test func everySensitiveMember() {
    let guessed = Set(GuessTests.all.flatMap(\.members).map { ExactString($0) })
    var found: Set<ExactString> = []
    for operation in userPools.operations {
      let schema = OperationSchema(operation)
      for name in Self.sensitive(schema.input) {
        let place = "\(schema.declaration.name.text).\(name)"
        found.insert(ExactString(place))
        found.insert(ExactString(name))
        let isKnown =
          guessed.contains(ExactString(place)) || Self.reasons[place] != nil || Self.reasons[name] != nil
        #expect(isKnown, "\(place) has no row in the table of guesses, and no reason")
      }
    }
    // Nothing is listed that does not exist.
    for place in guessed { #expect(found.contains(place), "\(place.text)") }
    for place in Self.reasons.keys { #expect(found.contains(ExactString(place)), "\(place)") }
  }

  @Test func everyFlowAndChallenge() {
    let guessed = Set(GuessTests.all.compactMap(\.step).map { ExactString($0) })
    let all = AuthFlowType.allCases.map(\.rawValue) + ChallengeNameType.allCases.map(\.rawValue)
    for step in all {
      let isKnown = guessed.contains(step) != (Self.harmless[step.text] != nil)
      #expect(isKnown, "\(step.text) has no row in the table of guesses and no reason, or both")
    }
    for step in guessed { #expect(all.contains(step), "\(step.text)") }
    for step in Self.harmless.keys { #expect(all.contains(ExactString(step)), "\(step)") }
  }
}
