package import TokenSecurityBase

// Decisions of hooks. Without a hook the defaults apply.

/// The decision of PreSignUp.
package struct SignUpDecision: Sendable, Hashable {
  package var confirmsUser = false
  package var verifiesEmail = false
  package var verifiesPhoneNumber = false

  package init() {}

  /// The addresses that it verifies.
  package var verified: [VerifiedAttribute] {
    (verifiesEmail ? [.email] : []) + (verifiesPhoneNumber ? [.phoneNumber] : [])
  }
}

extension User {
  /// Verifies the addresses that PreSignUp names.
  ///
  /// - Parameter decision: what PreSignUp decided.
  /// - Throws: `hookResponseInvalid` for an address that the user does not have.
  mutating func verifyAddresses(of decision: SignUpDecision) throws(UserPoolError) {
    for address in decision.verified {
      guard attribute(address.name) != nil else {
        throw .hookResponseInvalid(
          trigger: HookTrigger.preSignUp.name, rule: "it verifies a missing \(address.name)")
      }
      attributes[ExactString(address.flag)] = "true"
    }
  }
}

/// The decision of DefineAuthChallenge.
package enum NextChallenge: Sendable, Hashable {
  /// The user is signed in.
  case issueTokens
  /// The user is refused.
  case failAuthentication
  /// A challenge follows: `CUSTOM_CHALLENGE`, `PASSWORD_VERIFIER`, ...
  case challenge(String)
}

/// The challenge that CreateAuthChallenge made.
package struct CustomChallenge: Sendable {
  /// The parameters for the user.
  package var publicParameters: [ExactString: String] = [:]
  /// The parameters for VerifyAuthChallengeResponse.
  package var privateParameters: [ExactString: String] = [:]
  package var metadata: String?
}

/// The groups and roles of a token.
package struct TokenGroups: Sendable, Equatable {
  package var groups: [String] = []
  package var roles: [String] = []
  package var preferredRole: String?

  package init(groups: [String] = [], roles: [String] = [], preferredRole: String? = nil) {
    self.groups = groups
    self.roles = roles
    self.preferredRole = preferredRole
  }

  // The synthesized function compares arrays of texts, which generic code does as the standard library does.
  package static func == (a: TokenGroups, b: TokenGroups) -> Bool {
    a.groups == b.groups && a.roles == b.roles && a.preferredRole == b.preferredRole
  }
}

/// The changes of PreTokenGeneration in a token.
package struct ClaimChanges: Sendable, Equatable {
  /// Added or replaced, never one of ``ReservedClaims``.
  package var added: [ExactString: JSONValue] = [:]
  /// Left out, never one of ``ReservedClaims``.
  package var suppressed: Set<ExactString> = []

  package init() {}
}

/// The changes of PreTokenGeneration.
package struct TokenChanges: Sendable {
  package var idToken = ClaimChanges()
  /// Of events of version 2 only.
  package var accessToken = ClaimChanges()
  package var addedScopes: [String] = []
  package var suppressedScopes: Set<ExactString> = []
  /// Instead of the user's groups and roles; nil: they stay.
  package var groups: TokenGroups?

  package init() {}
}

/// The user that UserMigration found.
package struct MigratedUser: Sendable {
  package var attributes: [ExactString: String] = [:]
  /// The status; nil: the password must be reset.
  package var status: UserStatus?
  package var forcesAliasCreation = false
  /// Whether codes by SMS become the second factor.
  package var enablesSMSFactor = false
}

/// The texts of CustomMessage, with the placeholder of the code; nil: the pool's.
package struct CustomTexts: Sendable {
  package var sms: String?
  package var email: String?
  package var emailSubject: String?
}
