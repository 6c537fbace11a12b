internal import TokenLifetime
internal import TokenSecurityBase

/// The purpose of a code. A user has one code of each purpose.
package enum CodePurpose: Sendable, Hashable {
  /// The confirmation of a sign-up.
  case signUp
  /// A new password instead of a forgotten one.
  case forgottenPassword
  /// The verification of an address.
  case attribute(VerifiedAttribute)
  /// A factor of a sign-in, by the id of its session.
  case factor(sessionID: String)
  /// An invitation, which has a temporary password instead of a code.
  case invitation(DeliveryMedium)

  /// The purpose in rows and digests.
  var name: String {
    switch self {
    case .signUp: "signUp"
    case .forgottenPassword: "forgottenPassword"
    case .attribute(let attribute): "attribute/\(attribute.name)"
    case .factor(let id): "factor/\(id)"
    case .invitation(let medium): "invitation/\(medium.name)"
    }
  }

  /// How long a code is valid; for a factor as long as its session, which the caller knows.
  package var lifetime: Duration {
    switch self {
    case .signUp, .attribute, .invitation: .seconds(86_400)
    case .forgottenPassword: .seconds(3_600)
    case .factor: .seconds(180)
    }
  }
}
