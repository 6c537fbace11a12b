package import Records
package import TokenLifetime
package import TokenSecurityBase

/// A user pool: its settings, as operations set them.
package struct UserPool: StoredFields {
  /// The id: the region, an underscore and nine letters or digits.
  package var id = ""
  /// The name.
  package var name = ""
  /// When it was made.
  package var created = Timestamp(seconds: 0)
  /// When its settings last changed.
  package var modified = Timestamp(seconds: 0)
  /// True once it was deleted: maintenance removes its rows.
  package var isRemoved = false

  /// Attributes of its own, and standard attributes whose settings differ from the defaults.
  package var schema: [SchemaAttribute] = []
  /// The attributes by which users sign in instead of a user name.
  package var usernameAttributes: [UsernameAttribute] = []
  /// The attributes by which users may also sign in.
  package var aliasAttributes: [AliasAttribute] = []
  /// False where names are compared without regard to case.
  package var isCaseSensitive = true
  /// The attributes that a code verifies at sign-up.
  package var autoVerified: [VerifiedAttribute] = []
  /// Attributes that change only once the new value is verified.
  package var verifiedBeforeUpdate: [VerifiedAttribute] = []

  package var passwordPolicy = PasswordPolicy()
  /// The first factors of `USER_AUTH`.
  package var firstFactors: [FirstFactor] = [.password]

  package var mfa = MFAMode.off
  /// Whether codes by SMS are a second factor.
  package var hasSMSFactor = false
  /// Whether software tokens are a second factor.
  package var hasSoftwareTokenFactor = false
  /// Whether codes by e-mail are a second factor.
  package var hasEmailFactor = false

  /// Devices; nil where they are not tracked.
  package var devices: DeviceRule?
  /// Ways back into an account, in their order; nil where the service's default applies.
  package var recovery: [RecoveryOption]?
  /// Whether only administrators create users.
  package var isCreatedByAdministratorsOnly = false
  package var texts = MessageTexts()
  /// Functions by trigger.
  package var hooks: [ExactString: String] = [:]
  /// The version of the event of PreTokenGeneration: `V1_0`, `V2_0`, `V3_0`.
  package var tokenHookVersion = "V1_0"
  package var isProtectedFromDeletion = false
  /// Whether `iss` has the form `UPDATED`.
  package var hasUpdatedIssuer = false
  package var tags: [ExactString: String] = [:]
  /// Settings that are only echoed, as JSON by their member's name: `EmailConfiguration`, `UserPoolTier`, ...
  package var echoed: [ExactString: String] = [:]
  /// The sealed secret from which answers for users who do not exist are made; nil in older rows.
  package var sealedSimulation: [UInt8]?

  package init() {}

  /// The function of a trigger, or nil.
  package func hook(_ trigger: HookTrigger) -> String? { hooks[trigger.rawValue] }

  /// The name that the seal of ``sealedSimulation`` authenticates.
  package static func simulationSealName(_ id: String) -> String { "\(id)/simulation" }

  /// The region.
  package var region: String { id.parts(at: "_", most: 2)[0] }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    f.text("name", &name)
    f.time("created", &created)
    f.time("modified", &modified)
    f.flag("removed", &isRemoved)
    f.rows("schema", &schema)
    f.choices("usernameAttributes", &usernameAttributes)
    f.choices("aliases", &aliasAttributes)
    f.flag("caseSensitive", &isCaseSensitive)
    f.choices("autoVerified", &autoVerified)
    f.choices("verifiedBeforeUpdate", &verifiedBeforeUpdate)
    f.row("passwords", &passwordPolicy)
    f.choices("firstFactors", &firstFactors)
    f.choice("mfa", &mfa)
    f.flag("smsFactor", &hasSMSFactor)
    f.flag("softwareTokenFactor", &hasSoftwareTokenFactor)
    f.flag("emailFactor", &hasEmailFactor)
    f.optional("devices", &devices)
    f.optional("recovery", &recovery, .list(.choice))
    f.flag("administratorsOnly", &isCreatedByAdministratorsOnly)
    f.row("texts", &texts)
    f.map("hooks", &hooks)
    f.text("tokenHookVersion", &tokenHookVersion)
    f.flag("protected", &isProtectedFromDeletion)
    f.flag("updatedIssuer", &hasUpdatedIssuer)
    f.map("tags", &tags)
    f.map("echoed", &echoed)
    f.optional("simulation", &sealedSimulation)
  }
}
