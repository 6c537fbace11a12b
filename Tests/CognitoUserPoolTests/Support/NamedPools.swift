internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// The names by which the users of a pool sign in.
enum NamedPool: String, CaseIterable, Sendable {
  case names, emails, phones, aliasEmails, aliasPhones, preferredNames

  /// Members of CreateUserPool.
  var settings: JSONObject {
    var settings: JSONObject = [
      "AutoVerifiedAttributes": ["email"],
      "AccountRecoverySetting": ["RecoveryMechanisms": [["Name": "verified_email", "Priority": 1]]],
      "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP"]]],
    ]
    switch self {
    case .names: break
    case .emails: settings["UsernameAttributes"] = ["email"]
    case .phones: settings["UsernameAttributes"] = ["phone_number"]
    case .aliasEmails: settings["AliasAttributes"] = ["email"]
    case .aliasPhones: settings["AliasAttributes"] = ["phone_number"]
    case .preferredNames:
      settings["AliasAttributes"] = ["preferred_username"]
      settings["UsernameConfiguration"] = ["CaseSensitive": false]
    }
    return settings
  }

  /// A person, by a number of three digits. The first letter decides the position among the names of the pool.
  struct Person: Sendable {
    let first: String
    let number: Int

    var userName: String { "\(first)-\(number)" }
    var email: String { "\(first)-\(number)@example.com" }
    var phone: String { (first == "a" ? "+1000000" : first == "z" ? "+9900000" : "+1432555") + "\(number)" }
    var preferred: String { "\(first)Nick-\(number)" }
  }

  /// The names that a person may type to sign in.
  func typed(_ person: Person) -> [String] {
    switch self {
    case .names: [person.userName]
    case .emails: [person.email]
    case .phones: [person.phone]
    case .aliasEmails: [person.userName, person.email]
    case .aliasPhones: [person.userName, person.phone]
    case .preferredNames: [person.userName.uppercased(), person.preferred.lowercased()]
    }
  }

  /// Adds a confirmed user with a password.
  func add(_ person: Person, to pool: TestPool) async throws {
    var attributes = [
      "email": person.email, "email_verified": "true", "phone_number": person.phone,
      "phone_number_verified": "true",
    ]
    if self == .preferredNames { attributes["preferred_username"] = person.preferred }
    let name = self == .emails ? person.email : self == .phones ? person.phone : person.userName
    try await pool.addUser(name, attributes: attributes)
  }

  /// A name that no user has, which is offered a code by e-mail as the users are.
  func unknown(_ first: String, form: Int, in pool: TestPool) async throws -> String {
    for number in 500..<700 {
      let name = typed(Person(first: first, number: number))[form]
      let answer = try await pool.initiate("USER_AUTH", ["USERNAME": name])
      if answer.members["AvailableChallenges"]?.strings?.contains("EMAIL_OTP") == true { return name }
    }
    Issue.record("no unknown name is offered a code")
    return ""
  }
}
