internal import ServiceOperations
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A sign-in of a user whom an administrator made, and who must replace the temporary password
/// (`NEW_PASSWORD_REQUIRED`).
public struct NewPasswordStep: ~Copyable, Sendable {
  /// The attributes that the user has.
  public let attributes: [UserAttribute]
  /// The names of attributes that the user must have and does not have yet.
  public let requiredAttributes: [String]
  private let machine: SignInMachine.Box
  private let challenge: Challenge

  private static let prefix = "userAttributes."

  init(_ machine: SignInMachine, _ challenge: Challenge) throws(UserPoolClientError) {
    let required = try challenge.list("requiredAttributes").map { $0.rest(after: Self.prefix) ?? $0 }
    self.init(machine, challenge, try challenge.attributes("userAttributes"), required)
  }

  private init(
    _ machine: SignInMachine, _ challenge: Challenge, _ attributes: [UserAttribute], _ required: [String]
  ) {
    self.machine = SignInMachine.Box(machine)
    self.challenge = challenge
    self.attributes = attributes
    requiredAttributes = required
  }

  /// Sets the new password.
  ///
  /// - Parameters:
  ///   - password: the new password.
  ///   - attributes: values of required attributes, and of others if the app client may write them. Default:
  ///     none.
  /// - Returns: the next step; this one again for a password against the policy, an attribute that is missing
  ///   or not valid, and for passing failures.
  /// - Throws: `refused`, `responseMalformed`, `signInFailed`; `unreachable` and `cancelled` for a failure after
  ///   the password was set.
  public consuming func answer(
    _ password: borrowing SecretBytes, attributes: [UserAttribute] = []
  ) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let (challenge, existing, required) = (challenge, self.attributes, requiredAttributes)
    let members: AnswerMembers
    do throws(UserPoolClientError) {
      var texts: [ExactString: SecretText] = ["NEW_PASSWORD": try password.asMember()]
      for attribute in attributes {
        try attribute.check()
        texts[ExactString(Self.prefix + attribute.name)] = SecretText(attribute.value)
      }
      members = .success(texts)
    } catch { members = .failure(error) }
    return try await machine.answer(.newPasswordRequired, members) {
      .newPassword(NewPasswordStep($0, challenge, existing, required))
    }
  }
}

extension Challenge {
  /// The attributes of a parameter that is a JSON object; nothing for an absent one.
  fileprivate func attributes(_ name: ExactString) throws(UserPoolClientError) -> [UserAttribute] {
    guard let text = parameters[name], !text.isEmpty else { return [] }
    guard let object = (try? JSONValue(parsing: text))?.object else {
      throw .responseMalformed(rule: "its parameter \(name) is not a JSON object")
    }
    return object.members.compactMap { member in
      // `email_verified` can be a text or a Boolean.
      let value = member.value.string ?? member.value.bool.map { "\($0)" }
      return value.map { UserAttribute(member.name, $0) }
    }
  }
}
