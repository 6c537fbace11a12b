@testable internal import CognitoUserPool
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The bytes of rows: data of earlier versions has them.
@Suite struct StoredFormTests {
  private func expect<Row: StoredFields>(
    _: Row.Type, _ json: String, optional: Set<String> = [], _ location: SourceLocation = #_sourceLocation
  ) throws {
    let mistakes = try StoredForm(json, optional: optional).mistakes(
      write: { Row.encoding.encode($0, 1) }, read: { Row.encoding.decode($0, 1) })
    #expect(mistakes == [], sourceLocation: location)
  }

  @Test func pools() throws {
    let schema =
      #"{"name":"custom:a","type":"Number","mutable":true,"required":true,"developerOnly":true,"least":"1","greatest":"2"}"#
    let passwords =
      #"{"least":8,"uppercase":true,"lowercase":true,"digit":true,"symbol":true,"history":2,"temporaryDays":7}"#
    try expect(
      UserPool.self,
      #"""
      {"id":"us-east-1_a","name":"n","created":1700000000,"modified":1700000001,"removed":true,\#
      "schema":[\#(schema),{"name":"b","type":"String"}],"usernameAttributes":["email","phone_number"],\#
      "aliases":["preferred_username"],"caseSensitive":true,"autoVerified":["email"],\#
      "verifiedBeforeUpdate":["phone_number"],"passwords":\#(passwords),"firstFactors":["PASSWORD"],"mfa":"OPTIONAL",\#
      "smsFactor":true,"softwareTokenFactor":true,"emailFactor":true,\#
      "devices":{"challengesNew":true,"onPromptOnly":true},"recovery":["verified_email","admin_only"],\#
      "administratorsOnly":true,"texts":{"smsVerification":"a","inviteEmailSubject":"b"},\#
      "hooks":{"PostConfirmation":"q","PreSignUp":"p"},"tokenHookVersion":"V1_0","protected":true,\#
      "updatedIssuer":true,"tags":{"a":"1","b":"2"},"echoed":{"c":"{}"},"simulation":"AQ"}
      """#,
      optional: [
        "removed", "schema", "usernameAttributes", "aliases", "caseSensitive", "autoVerified",
        "verifiedBeforeUpdate", "firstFactors", "smsFactor", "softwareTokenFactor", "emailFactor", "devices",
        "recovery", "administratorsOnly", "hooks", "protected", "updatedIssuer", "tags", "echoed",
        "simulation",
      ])
    try expect(
      UserPool.self,
      #"""
      {"id":"us-east-1_a","name":"n","created":1,"modified":2,\#
      "passwords":{"least":8,"history":0,"temporaryDays":7},"mfa":"OFF","texts":{},"tokenHookVersion":"V1_0"}
      """#)
  }

  @Test func clients() throws {
    try expect(
      UserPoolClient.self,
      #"""
      {"id":"c","pool":"us-east-1_a","name":"n","created":1,"modified":2,"secret":"AQ",\#
      "flows":["ALLOW_USER_AUTH"],"read":["email"],"write":[],"accessLifetime":3,"idLifetime":4,\#
      "refreshLifetime":5,"accessUnit":"minutes","idUnit":"hours","refreshUnit":"days",\#
      "preventsExistenceErrors":true,"revocation":true,"rotationGrace":6,"sessionMinutes":3,\#
      "propagatesContext":true,"echoed":{"a":"1"}}
      """#,
      optional: [
        "secret", "flows", "read", "write", "accessLifetime", "idLifetime", "refreshLifetime", "accessUnit",
        "idUnit", "refreshUnit", "preventsExistenceErrors", "revocation", "rotationGrace",
        "propagatesContext",
        "echoed",
      ])
  }

  @Test func users() throws {
    let password = #"{"id":"jane","salt":"AQ","verifier":"Ag"}"#
    try expect(
      User.self,
      #"""
      {"pool":"us-east-1_a","name":"Jane","canonical":"jane","sub":"s","status":"CONFIRMED","enabled":true,\#
      "created":1,"modified":2,"attributes":{"email":"a@b.example","name":"J\"\u2028"},"pending":{"email":"c"},\#
      "password":\#(password),"earlierPasswords":[\#(password),\#(password)],"temporaryUntil":3,"smsFactor":true,\#
      "emailFactor":true,"softwareTokenFactor":true,"preferredFactor":"SMS_MFA","softwareToken":"Aw",\#
      "pendingSoftwareToken":"BA","softwareTokenName":"t",\#
      "factorFailures":{"EMAIL_OTP":1,"SMS_MFA":2,"SOFTWARE_TOKEN_MFA":3},"epoch":4}
      """#,
      optional: [
        "enabled", "attributes", "pending", "password", "earlierPasswords", "temporaryUntil", "smsFactor",
        "emailFactor", "softwareTokenFactor", "preferredFactor", "softwareToken", "pendingSoftwareToken",
        "softwareTokenName", "factorFailures",
      ])
    try expect(UserAlias.self, #"{"pool":"p","attribute":"email","value":"v","user":"jane"}"#)
    try expect(
      UserGroup.self,
      #"{"pool":"p","name":"g","description":"d","role":"arn","precedence":0,"created":1,"modified":2}"#,
      optional: ["description", "role", "precedence"])
    try expect(GroupMembership.self, #"{"pool":"p","group":"g","sub":"s","user":"jane"}"#)
    try expect(RemovedUser.self, #"{"pool":"p","sub":"s"}"#)
    try expect(
      UserDevice.self,
      #"""
      {"pool":"p","sub":"s","key":"k","group":"g","name":"n","salt":"AQ","verifier":"Ag","remembered":true,\#
      "address":"192.0.2.1","created":1,"modified":2,"signedIn":3,"failures":4,"end":5}
      """#, optional: ["name", "verifier", "remembered", "address", "failures", "end"])
  }

  @Test func signIns() throws {
    try expect(
      SignIn.self,
      #"""
      {"id":"i","pool":"p","client":"c","sub":"s","user":"jane","device":"d","signedIn":1,"epoch":2,\#
      "refresh":"AQ","generation":3,"replaced":[4,5],"revoked":true,"end":6,"kept":7}
      """#, optional: ["device", "replaced", "revoked"])
    try expect(
      StoredCode.self,
      #"""
      {"pool":"p","sub":"s","purpose":"u","digest":"AQ","attribute":"email","value":"v","failures":1,\#
      "message":"m","end":2}
      """#, optional: ["message"])
    try expect(
      AttemptRow.self,
      #"""
      {"pool":"p","kind":"password","key":"AQ","count":1,"first":2,"last":3,"end":4,\#
      "places":[{"id":"Ag","count":5,"last":6,"known":7},{"id":"","count":8,"last":9}],"owner":"Aw"}
      """#, optional: ["places", "owner"])
    try expect(UsedValue.self, #"{"pool":"p","kind":"session","value":"AQ","end":1}"#)
    try expect(
      PendingSignIn.self, #"{"pool":"p","client":"c","sub":"s","device":"d","sealed":"AQ","end":1}"#)
    try expect(
      SignInSession.self,
      #"""
      {"i":"AQ","p":"p","c":"c","n":"SMS_MFA","s":"s","u":"jane","t":"Jane","a":"Ag","m":"Aw","v":"BA","e":1,\#
      "issued":true,"counted":true,"custom":true,"new":true,"device":true,"first":true,"d":"k",\#
      "choices":["x","y"],"setUp":true,"history":[{"n":"CUSTOM_CHALLENGE","r":true,"m":"z"},{"n":"SRP_A"}],\#
      "private":{"a":"1"},"metadata":"w"}
      """#,
      optional: [
        "issued", "counted", "custom", "new", "device", "first", "d", "choices", "setUp", "history",
        "private",
        "metadata",
      ])
  }

  @Test func keysAndMessages() throws {
    try expect(
      PoolSigningKey.self,
      #"{"pool":"p","use":"id","id":"k","published":1,"signsFrom":2,"sealed":"AQ"}"#)
    try expect(
      OutboxRow.self,
      #"""
      {"pool":"p","id":"i","medium":"EMAIL","sealed":"AQ","created":1,"due":2,"attempts":3,"end":4,\#
      "simulated":true}
      """#, optional: ["simulated"])
  }

  /// Numbers are whole, flags are true or absent, and lists are of one type.
  @Test(arguments: [
    #""end":1.5"#, #""end":"1""#, #""end":9223372036854775808"#, #""end":null"#, #""end":1,"places":{}"#,
    // The second after the year 9999, and the one before the year 1.
    #""end":253402300800"#, #""end":-62135596801"#,
    #""end":1,"places":[{"id":"AQ","count":1}]"#, #""end":1,"places":["AQ"]"#, #""end":1,"owner":"A""#,
    #""end":1,"owner":null"#,
  ])
  func mistypedFieldsAreDamaged(_ field: String) {
    func row(_ field: String) -> AttemptRow? {
      AttemptRow.encoding.decode(
        Array(#"{"pool":"p","kind":"k","key":"","count":1,"first":2,"last":3,\#(field)}"#.utf8), 1)
    }
    #expect(row(#""end":1,"places":[],"owner":"AQ""#) != nil)
    #expect(row(field) == nil)
  }

  /// A number that no setting has neither stops the program nor makes anything last longer than a setting could.
  @Test(arguments: [0, -1, 4_611_686_018_427_387_904, Int64.min, .max])
  func lifetimesOfDamagedClientsHaveTheirBounds(_ number: Int64) throws {
    let client = try #require(
      UserPoolClient.encoding.decode(
        Array(
          #"""
          {"id":"c","pool":"p","name":"n","created":1,"modified":2,"accessLifetime":\#(number),"idLifetime":\#(number),\#
          "refreshLifetime":\#(number),"sessionMinutes":\#(number),"rotationGrace":\#(number)}
          """#.utf8), 1))
    for (lifetime, rule) in [
      (client.accessTokenLifetime, LifetimeRule.userPoolAccessToken),
      (client.idTokenLifetime, .userPoolIDToken), (client.refreshTokenLifetime, .refreshToken),
    ] {
      #expect(lifetime == (number > 0 ? rule.longest : rule.standard ?? rule.longest))
    }
    #expect(client.sessionLifetime == .seconds(number > 0 ? 900 : 180))
    #expect(client.replacementGrace == .seconds(number > 0 ? 60 : 0))
  }
}
