internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// The rules of attributes.
@Suite struct AccountsAttributeRuleTests {
  private static func attribute(
    _ name: String, _ change: (inout SchemaAttribute) -> Void = { _ in }
  ) -> SchemaAttribute {
    var attribute = SchemaAttribute()
    attribute.name = name
    change(&attribute)
    return attribute
  }

  private static func pool(_ schema: [SchemaAttribute] = []) -> UserPool {
    var pool = UserPool()
    pool.schema = schema
    return pool
  }

  private static let own = pool([
    attribute("custom:size") {
      $0.type = "Number"
      $0.least = "1"
      $0.greatest = "10"
    },
    attribute("custom:code") {
      $0.least = "2"
      $0.greatest = "3"
      $0.isMutable = false
    },
    attribute("custom:on") { $0.type = "Boolean" },
    attribute("custom:at") { $0.type = "DateTime" },
    attribute("custom:note") { $0.isDeveloperOnly = true },
  ])

  private func checked(
    _ given: AttributeRules.Given, in pool: UserPool = Self.own, client: UserPoolClient? = nil,
    byAdministrator: Bool = true
  ) throws(UserPoolError) -> [ExactString: String] {
    try AttributeRules(pool).checkedNew(given, byAdministrator: byAdministrator, client: client)
  }

  private static func schema(_ rules: String) -> UserPoolError {
    .attributesRefused(rule: "Attributes did not conform to the schema: " + rules)
  }

  private static func user(_ attributes: [ExactString: String]) -> User {
    var user = User()
    user.sub = "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"
    user.attributes = attributes
    return user
  }

  @Test func standardAttributes() {
    #expect(StandardAttributes.all.count == 20)
    #expect(UserPool().allAttributes == StandardAttributes.all)
    let pool = Self.pool([
      Self.attribute("email") { $0.isRequired = true }, Self.attribute("custom:a"),
    ])
    #expect(pool.allAttributes.count == 21)
    #expect(pool.attribute("email")?.isRequired == true)
    #expect(pool.attribute("custom:b") == nil)
  }

  @Test func requiredAttributes() throws {
    let pool = Self.pool([
      Self.attribute("email") { $0.isRequired = true },
      Self.attribute("name") { $0.isRequired = true },
    ])
    #expect(
      throws: Self.schema("name: The attribute is required\nemail: The attribute is required")
    ) {
      try checked([], in: pool, client: UserPoolClient(), byAdministrator: false)
    }
    #expect(throws: Self.schema("email: The attribute is required")) {
      try checked(
        [("name", "Jane"), ("email", "")], in: pool, client: UserPoolClient(),
        byAdministrator: false)
    }
    // Administrators may leave them to the user.
    #expect(try checked([], in: pool).isEmpty)
  }

  @Test(arguments: [
    ("custom:size", "0", "Number attributes must be greater than or equal to 1"),
    ("custom:size", "11", "Number attributes must be less than or equal to 10"),
    ("custom:size", "1e1", "Number attributes must be a number"),
    ("custom:size", "nan", "Number attributes must be a number"),
    ("custom:code", "a", "String attributes must have length greater than or equal to 2"),
    ("custom:code", "abcd", "String attributes must have length less than or equal to 3"),
    ("custom:on", "yes", "Boolean attributes must be true or false"),
    ("custom:at", "soon", "DateTime attributes must be a time of RFC 3339 or seconds since 1970"),
    ("birthdate", "2000", "String attributes must have length greater than or equal to 10"),
    ("updated_at", "-1", "Number attributes must be greater than or equal to 0"),
    ("custom:none", "x", "Attribute does not exist in the schema."),
    ("custom:note", "x", "Attribute does not exist in the schema."),
  ])
  func brokenTypes(_ name: String, _ value: String, _ rule: String) {
    #expect(throws: Self.schema("\(name): \(rule)")) { try checked([(name, value)]) }
  }

  @Test func goodTypes() throws {
    let given: AttributeRules.Given = [
      ("custom:size", "9.5"), ("custom:code", "äöü"), ("custom:on", "True"),
      ("custom:at", "2026-11-22T10:00:00Z"), ("dev:custom:note", "x"), ("birthdate", "2000-01-31"),
      ("email", "jane@example.com"), ("email_verified", "TRUE"),
    ]
    let values = try checked(given)
    #expect(values.count == given.count)
    // One spelling, which tokens turn into a Boolean.
    #expect(values["custom:on"] == "true")
    #expect(values["email_verified"] == "true")
  }

  @Test func addresses() {
    #expect(throws: UserPoolError.addressMalformed(attribute: "email")) {
      try checked([("email", "jane")])
    }
    #expect(throws: UserPoolError.addressMalformed(attribute: "phone_number")) {
      try checked([("phone_number", "123")])
    }
    #expect(
      throws: UserPoolError.attributesRefused(
        rule: "Email is required to verify/un-verify an email")
    ) { try checked([("email_verified", "true")]) }
  }

  @Test func whatUsersMayNotWrite() {
    let client = UserPoolClient()
    for flag in ["email_verified", "phone_number_verified", "sub"] {
      #expect(
        throws: UserPoolError.attributesRefused(
          rule: "Cannot modify the non-mutable attribute \(flag)")
      ) { try checked([(flag, "true")], client: client) }
    }
    // A client without a list writes the standard attributes alone.
    for name in ["custom:size", "custom:none", "dev:custom:note"] {
      #expect(throws: UserPoolError.attributeNotWritable) {
        try checked([(name, "2")], client: client)
      }
    }
    #expect(
      throws: UserPoolError.attributesRefused(rule: "Cannot modify the non-mutable attribute sub")
    ) {
      try checked([("sub", "x")])
    }
  }

  @Test func writeAttributesOfAClient() throws {
    var client = UserPoolClient()
    client.writeAttributes = ["custom:size", "dev:custom:note"]
    #expect(try checked([("custom:size", "2")], client: client).count == 1)
    #expect(throws: UserPoolError.attributeNotWritable) {
      try checked([("name", "x")], client: client)
    }
    #expect(throws: UserPoolError.attributeNotWritable) {
      try checked([("dev:custom:note", "x")], client: client)
    }
  }

  @Test func readAttributesOfAClient() {
    let attributes: [ExactString: String] = [
      "name": "Jane", "email_verified": "true", "custom:size": "2", "dev:custom:note": "x",
    ]
    let rules = AttributeRules(Self.own)
    var client = UserPoolClient()
    #expect(Set(rules.readable(attributes, by: client).keys) == ["name", "email_verified"])
    client.readAttributes = ["custom:size", "dev:custom:note"]
    #expect(Set(rules.readable(attributes, by: client).keys) == ["custom:size"])
    #expect(rules.readable(attributes, by: nil).count == 4)
  }

  @Test func repeatedAttribute() {
    #expect(
      throws: UserPoolError.attributesRefused(rule: "Attribute name is given more than once.")
    ) {
      try checked([("name", "a"), ("name", "b")])
    }
  }

  @Test func addressOfTheName() throws {
    var pool = UserPool()
    pool.usernameAttributes = [.email]
    let rules = AttributeRules(pool)
    var client = UserPoolClient()
    // The client need not write the attribute that the name becomes.
    client.writeAttributes = ["name"]
    let values = try rules.checkedNew(
      [], byAdministrator: false, client: client, address: (.email, "jane@example.com"))
    #expect(values == ["email": "jane@example.com"])
    #expect(
      throws: UserPoolError.attributesRefused(
        rule: "Username and attribute email must be the same.")
    ) {
      try rules.checkedNew(
        [("email", "joe@example.com")], byAdministrator: true, client: nil,
        address: (.email, "jane@example.com"))
    }
  }

  @Test func immutableAttribute() {
    let rules = AttributeRules(Self.own)
    #expect(
      throws: UserPoolError.attributesRefused(
        rule: "user.custom:code: Attribute cannot be updated.")
    ) {
      try rules.checkedUpdate([("custom:code", "ab")], of: Self.user([:]), client: nil)
    }
  }

  @Test func newAddressIsNotVerified() throws {
    let user = Self.user(["email": "jane@example.com", "email_verified": "true"])
    let rules = AttributeRules(UserPool())
    let update = try rules.checkedUpdate(
      [("email", "new@example.com")], of: user, client: UserPoolClient())
    #expect(update.set == ["email": "new@example.com", "email_verified": "false"])
    // The same address stays verified.
    let same = try rules.checkedUpdate(
      [("email", "jane@example.com")], of: user, client: UserPoolClient())
    #expect(same.applied(to: user.attributes) == user.attributes)
    let byAdministrator = try rules.checkedUpdate(
      [("email", "new@example.com"), ("email_verified", "True")], of: user, client: nil)
    #expect(byAdministrator.set["email_verified"] == "true")
    let removal = try rules.checkedRemoval(["email", "email"], of: user, client: UserPoolClient())
    #expect(removal.applied(to: user.attributes).isEmpty)
  }

  @Test func removalsThatAreRefused() {
    let required = AttributeRules(Self.pool([Self.attribute("name") { $0.isRequired = true }]))
    #expect(throws: Self.schema("name: The attribute is required")) {
      try required.checkedUpdate([("name", "")], of: Self.user(["name": "Jane"]), client: nil)
    }
    var pool = UserPool()
    pool.usernameAttributes = [.email]
    #expect(throws: Self.schema("email: The attribute is required")) {
      try AttributeRules(pool).checkedRemoval(
        ["email"], of: Self.user(["email": "jane@example.com"]), client: nil)
    }
  }

  @Test func preferredNameThatIsAnAlias() throws {
    var pool = UserPool()
    #expect(try checked([("preferred_username", "jane@example.com")], in: pool).count == 1)
    pool.aliasAttributes = [.email, .preferredUsername]
    for value in ["jane@example.com", "ja ne"] {
      #expect(throws: UserPoolError.self) { try checked([("preferred_username", value)], in: pool) }
    }
    for value in ["jane", "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"] {
      #expect(try checked([("preferred_username", value)], in: pool).count == 1)
    }
  }

  @Test func addressThatWaitsForItsVerification() throws {
    var pool = UserPool()
    pool.autoVerified = [.email]
    let user = Self.user(["email": "jane@example.com", "email_verified": "true"])
    let rules = AttributeRules(pool)
    let update = try rules.checkedUpdate(
      [("email", "new@example.com")], of: user, client: UserPoolClient())
    let atOnce = ChangedUser(update, of: user, in: pool)
    #expect(atOnce.user.attribute("email") == "new@example.com")
    #expect(!atOnce.user.isVerified(.email))
    #expect(atOnce.destinations == [Destination(.email, "new@example.com")])
    pool.verifiedBeforeUpdate = [.email]
    let later = ChangedUser(update, of: user, in: pool)
    #expect(later.user.attributes == user.attributes)
    #expect(later.user.pending == ["email": "new@example.com"])
    #expect(later.destinations == [Destination(.email, "new@example.com")])
    // An administrator's word suffices.
    let said = try rules.checkedUpdate(
      [("email", "new@example.com"), ("email_verified", "true")], of: user, client: nil)
    let changed = ChangedUser(said, of: later.user, in: pool)
    #expect(changed.user.isVerified(.email))
    #expect(changed.user.pending.isEmpty)
    #expect(changed.destinations.isEmpty)
  }

  @Test func recovery() {
    var pool = UserPool()
    var user = Self.user([
      "email": "jane@example.com", "email_verified": "true", "phone_number": "+12065550100",
      "phone_number_verified": "true",
    ])
    #expect(pool.recoveryAttribute(of: user) == .phoneNumber)
    pool.recovery = [.verifiedEmail, .verifiedPhone]
    #expect(pool.recoveryAttribute(of: user) == .email)
    pool.mfa = .optional
    (pool.hasSMSFactor, pool.hasEmailFactor) = (true, true)
    user.emailFactor = true
    #expect(pool.recoveryAttribute(of: user) == .phoneNumber)
    user.smsFactor = true
    #expect(pool.recoveryAttribute(of: user) == nil)
    pool.recovery = [.administratorOnly]
    #expect(pool.recoveryAttribute(of: user) == nil)
    #expect(pool.recoveryAttribute(of: user, byAdministrator: true) == .email)
    pool.recovery = nil
    user.attributes["phone_number_verified"] = "false"
    #expect(pool.recoveryAttribute(of: user) == .email)
  }
}
