@testable internal import CognitoIdentity
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityVectorFiles

/// The bytes of rows: data of earlier versions has them.
@Suite struct StoredFormTests {
  private func expect<Row: Sendable>(
    _ row: Row, _ encoding: RowEncoding<Row>, _ json: String, optional: Set<String> = [], version: Int = 1,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let mistakes = try StoredForm(json, optional: optional).mistakes(
      row, write: { encoding.encode($0, version) }, read: { encoding.decode($0, version) })
    #expect(mistakes == [], sourceLocation: location)
  }

  private static let time = Timestamp(seconds: 1_700_000_000)

  @Test func identities() throws {
    let row = Identity(
      id: "us-east-1:1", poolID: "us-east-1:0", created: Self.time, modified: Self.time + .seconds(1),
      hasSignedIn: true)
    try expect(
      row, Identity.encoding,
      #"""
      {"id":"us-east-1:1","pool":"us-east-1:0","created":1700000000,"modified":1700000001,"signedIn":true,\#
      "mergedInto":null}
      """#)
    try expect(
      Identity(
        id: "us-east-1:1", poolID: "us-east-1:0", created: Self.time, modified: Self.time,
        hasSignedIn: false, mergedInto: "us-east-1:2"), Identity.encoding,
      #"""
      {"id":"us-east-1:1","pool":"us-east-1:0","created":1700000000,"modified":1700000000,"signedIn":false,\#
      "mergedInto":"us-east-1:2"}
      """#)
    try expect(RemovedPool(id: "us-east-1:0"), RemovedPool.encoding, #"{"id":"us-east-1:0"}"#)
  }

  @Test func logins() throws {
    let login = LinkedLogin(
      poolID: "us-east-1:0", kind: .external, provider: "id.example", user: "j\u{F6}\n\"",
      identityID: "us-east-1:1",
      linked: Self.time)
    try expect(
      StoredLogin(login: login, order: -3), StoredLogin.encoding,
      #"""
      {"pool":"us-east-1:0","kind":"external","provider":"id.example","user":"jö\n\"","identity":"us-east-1:1",\#
      "linked":1700000000,"order":-3}
      """#)
  }

  private static let policy = #"{"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}"#

  @Test func rolesAndProviders() throws {
    try expect(
      StoredRole(arn: "arn:aws:iam::1:role/a", trustPolicy: "{}", longestSession: .seconds(7_200)),
      StoredRole.encoding, #"{"arn":"arn:aws:iam::1:role/a","trustPolicy":"{}","longestSession":7200}"#)
    let policy = try PermissionPolicy(name: "own", document: Self.policy)
    let role = StoredRole(arn: "arn:aws:iam::1:role/a", trustPolicy: "{}", policies: [policy])
    try expect(
      role, StoredRole.encoding,
      #"""
      {"arn":"arn:aws:iam::1:role/a","trustPolicy":"{}","longestSession":3600,"policies":[{"name":"own",\#
      "document":"{\"Statement\":{\"Effect\":\"Deny\",\"Action\":\"*\",\"Resource\":\"*\"}}"}]}
      """#, optional: ["policies"], version: 2)
    // A node that does not know policies would allow more.
    #expect(StoredRole.encoding.encode(role, 1) == nil)
    try expect(
      LoginProviderSettings(name: "id.example", clientIDs: ["a", "b"], keys: "{}"),
      LoginProviderSettings.encoding, #"{"name":"id.example","clientIDs":["a","b"],"keys":"{}"}"#)
    try expect(
      LoginProviderSettings(name: "id.example"), LoginProviderSettings.encoding,
      #"{"name":"id.example","clientIDs":[],"keys":null}"#)
  }

  @Test func keys() throws {
    try expect(
      StoredSigningKey(
        keyID: "k", published: Self.time, signsFrom: Self.time + .seconds(60), sealed: [0xFB, 0xFF, 1]),
      StoredSigningKey.encoding,
      #"{"id":"k","published":1700000000,"signsFrom":1700000060,"sealed":"-_8B"}"#)
    try expect(
      StoredAccessKey(id: "AKIA", created: Self.time, note: "", sealed: [1]), StoredAccessKey.encoding,
      #"""
      {"id":"AKIA","created":1700000000,"note":"","sealed":"AQ","pools":null,\#
      "capabilities":["administer","issue","read"]}
      """#)
    try expect(
      StoredAccessKey(
        id: "AKIA", created: Self.time, note: "n", sealed: [1],
        scope: AccessKeyScope(pools: ["us-east-1:1", "us-east-1:0"], capabilities: [.reading, .issuing])),
      StoredAccessKey.encoding,
      #"""
      {"id":"AKIA","created":1700000000,"note":"n","sealed":"AQ","pools":["us-east-1:0","us-east-1:1"],\#
      "capabilities":["issue","read"]}
      """#)
  }

  /// Without its scope a key would allow too much.
  @Test(arguments: [
    #""pools":null,"capabilities":[]"#, #""pools":null,"capabilities":["other"]"#,
    #""pools":[],"capabilities":["read"]"#, #""pools":[1],"capabilities":["read"]"#,
    #""pools":["\#u{212A}:0"],"capabilities":["read"]"#,
  ])
  func keysWithAnotherScopeAreDamaged(_ scope: String) {
    let start = #"{"id":"AKIA","created":1,"note":"","sealed":"AQ","#
    #expect(
      StoredAccessKey.encoding.decode(Array("\(start)\"pools\":null,\"capabilities\":[\"read\"]}".utf8), 1)
        != nil)
    #expect(StoredAccessKey.encoding.decode(Array("\(start)\(scope)}".utf8), 1) == nil)
  }

  @Test func calls() throws {
    let started = try #require(Timestamp(seconds: 1_700_000_000, nanoseconds: 999_999_999))
    var call = StoredCall(name: [1], invocation: [2], address: [3], started: started)
    let start = #"{"name":"AQ","invocation":"Ag","address":"Aw","started":1700000000,"nanoseconds":999999999"#
    try expect(call, StoredCall.encoding, start + "}")
    call.outcome = .response([4])
    try expect(call, StoredCall.encoding, start + #","response":"BA"}"#, optional: ["response"])
    var refusal = StoredCall.Refusal()
    (refusal.code, refusal.type, refusal.message) = ("c", "T", "m")
    call.outcome = .refusal(refusal)
    try expect(
      call, StoredCall.encoding, start + #","refusal":{"code":"c","type":"T","message":"m"}}"#,
      optional: ["refusal"])
    let damaged = [
      start.replacing("999999999", with: "1000000000") + "}",
      start + #","refusal":{"code":"c","type":"T"}}"#,
    ]
    for json in damaged { #expect(StoredCall.encoding.decode(Array(json.utf8), 1) == nil) }
  }

  @Test func settings() throws {
    var settings = StoredSettings(region: "eu-west-1", account: "000000000001", issuer: "https://id.example")
    let start = #"{"region":"eu-west-1","account":"000000000001","issuer":"https://id.example""#
    try expect(settings, StoredSettings.encoding, start + "}")
    settings.userPoolIssuer = "https://pools.example"
    try expect(
      settings, StoredSettings.encoding, start + #","userPoolIssuer":"https://pools.example"}"#,
      optional: ["userPoolIssuer"])
  }
}
