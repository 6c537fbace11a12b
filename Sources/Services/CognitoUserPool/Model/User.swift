package import Records
package import TokenLifetime
package import TokenSecurityBase

/// A user of a pool.
public struct User: StoredFields {
  /// The pool's id.
  public package(set) var poolID = ""
  /// The user name as it was given; the `sub` in pools whose users sign in with an address.
  public package(set) var name = ""
  /// The user name as it is looked up: folded where the pool ignores case. The row's key with the pool.
  package var canonicalName = ""
  /// The id in tokens, a UUID that never changes.
  public package(set) var sub = ""
  /// The status.
  public package(set) var status = UserStatus.unconfirmed
  /// False for a user whose sign-ins an administrator refuses.
  public package(set) var isEnabled = true
  package var created = Timestamp(seconds: 0)
  package var modified = Timestamp(seconds: 0)
  /// All attributes but `sub`, by name. `email_verified` and `phone_number_verified` are `true` or `false`.
  package var attributes: [ExactString: String] = [:]
  /// New addresses that are not verified yet, in pools where they change only then.
  package var pending: [ExactString: String] = [:]
  /// The password; nil for a user without one.
  package var password: StoredPassword?
  /// Earlier passwords, the last one first.
  package var earlierPasswords: [StoredPassword] = []
  /// When the temporary password ends.
  package var temporaryUntil: Timestamp?
  /// Whether SMS, e-mail and software token are enabled as second factors.
  package var smsFactor = false
  package var emailFactor = false
  package var softwareTokenFactor = false
  package var preferredFactor: SecondFactor?
  /// The sealed secret of the verified software token.
  package var softwareToken: [UInt8]?
  /// The sealed secret of a software token that is not verified yet.
  package var pendingSoftwareToken: [UInt8]?
  package var softwareTokenName: String?
  /// The wrong codes in a row of each second factor, at most ``FactorFailures/limit``.
  package var factorFailures: [SecondFactor: Int64] = [:]
  /// Counts the ends of all sign-ins: those of other epochs are revoked.
  package var epoch: Int64 = 0

  package init() {}

  /// Ends all sign-ins: their refresh tokens and access tokens are revoked.
  package mutating func endSignIns() { epoch &+= 1 }

  /// The value of an attribute, or nil.
  package func attribute(_ name: String) -> String? { attributes[ExactString(name)] }
  /// True where an address is verified.
  package func isVerified(_ attribute: VerifiedAttribute) -> Bool {
    self.attribute(attribute.name) != nil && self.attribute(attribute.flag)?.isIdentical(to: "true") == true
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("name", &name)
    f.text("canonical", &canonicalName)
    f.text("sub", &sub)
    f.choice("status", &status)
    f.flag("enabled", &isEnabled)
    f.time("created", &created)
    f.time("modified", &modified)
    f.map("attributes", &attributes)
    f.map("pending", &pending)
    f.optional("password", &password)
    f.rows("earlierPasswords", &earlierPasswords)
    f.optional("temporaryUntil", &temporaryUntil)
    f.flag("smsFactor", &smsFactor)
    f.flag("emailFactor", &emailFactor)
    f.flag("softwareTokenFactor", &softwareTokenFactor)
    f.optional("preferredFactor", &preferredFactor)
    f.optional("softwareToken", &softwareToken)
    f.optional("pendingSoftwareToken", &pendingSoftwareToken)
    f.optional("softwareTokenName", &softwareTokenName)
    f.counts("factorFailures", &factorFailures)
    f.number("epoch", &epoch)
  }
}

/// A password as it is stored: salt and sealed SRP verifier, and the id in its hashes.
package struct StoredPassword: StoredFields, Hashable {
  /// `USER_ID_FOR_SRP` that the verifier was computed with.
  package var userIDForSRP = ""
  /// The salt, without leading zeros.
  package var salt: [UInt8] = []
  /// The sealed verifier. The seal's name is ``sealName(pool:sub:)``.
  package var sealed: [UInt8] = []

  package init() {}

  package static func sealName(pool: String, sub: String) -> String { "\(pool)/\(sub)" }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &userIDForSRP)
    f.bytes("salt", &salt)
    f.bytes("verifier", &sealed)
  }
}
