@testable internal import CognitoUserPool
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Lists of users and their filters.
@Suite struct AdminUsersListTests {
  @Test(arguments: [
    (#"email = "a""#, "email", "a", false), (#"email="a""#, "email", "a", false),
    (#"  email  ^=  "a b"  "#, "email", "a b", true), (#"name = """#, "name", "", false),
    (#"name = "a\"b\\c\d""#, "name", #"a"b\c\d"#, false), ("name\t=\n\"é\"", "name", "é", false),
  ])
  func filters(_ text: String, _ name: String, _ value: String, _ isPrefix: Bool) throws {
    let filter = try UserFilter(text)
    #expect(filter.field == .attribute(ExactString(name)))
    #expect(filter.value == value && filter.isPrefix == isPrefix)
  }

  @Test(arguments: [
    " ", "email", "email =", "email = a", #"email = "a"#, #"email = a""#, #"= "a""#, #"email == "a""#,
    #"email ^ = "a""#, #"email = "a" x"#, #"email = 'a'"#, #"email = "a\""#, #"email != "a""#,
    #"email name = "a""#, #""email" = "a""#, #"email = "a" and name = "b""#,
  ])
  func malformedFilters(_ text: String) {
    #expect(throws: UserPoolError.filterInvalid) { try UserFilter(text) }
  }

  @Test(arguments: ["custom:team", "address", "Email", "enabled", "cognito:username"])
  func attributesThatAreNotSearched(_ name: String) {
    #expect(throws: UserPoolError.attributeNotSearchable(name)) { try UserFilter("\(name) = \"a\"") }
  }

  /// The names of all pages, and the number of pages.
  private func names(
    _ place: AdminUsersPlace, _ filter: String? = nil, limit: Int64? = nil
  ) async throws(UserPoolError) -> (names: [String], pages: Int) {
    var names: [String] = []
    var pages = 0
    var token: String?
    repeat {
      let page = try await place.service.users.listUsers(
        of: place.pool.id, filter: filter, limit: limit, token: token, at: .now)
      names += page.elements.map(\.name)
      pages += 1
      token = page.next
    } while token != nil && pages < 1_000
    return (names, pages)
  }

  private func stored(
    _ name: String, in pool: UserPool, _ attributes: [ExactString: String] = [:]
  ) -> User {
    var user = User()
    user.poolID = pool.id
    user.name = name
    user.canonicalName = name
    user.sub = "sub-\(name)"
    user.attributes = attributes
    return user
  }

  @Test func pages() async throws {
    let place = try await AdminUsersPlace()
    let all = (10..<75).map { "user\($0)" }
    for name in all { try await place.put(stored(name, in: place.pool)) }
    var other = stored("user00", in: place.pool)
    other.poolID = "us-east-1_aB3dE6gH8"
    try await place.put(other)
    for limit: Int64? in [nil, 0, 1, 7, 13, 60] {
      let found = try await names(place, limit: limit)
      #expect(found.names == all)
      let size = Int(limit.flatMap { $0 == 0 ? nil : $0 } ?? 60)
      #expect(found.pages == (65 + size - 1) / size)
    }
    #expect(try await names(place, "").names == all)
  }

  @Test func searches() async throws {
    let place = try await AdminUsersPlace()
    let people: [(String, [ExactString: String])] = [
      ("anna", ["email": "Anna@example.com", "family_name": "Ö"]), ("anne", ["email": "anne@example.com"]),
      ("bert", ["email": "bert@example.org", "given_name": "Bert"]), ("anna2", ["email": "anna@example.com"]),
      ("long", ["name": String(repeating: "é", count: 300) + "x"]), ("Anna", [:]),
    ]
    for (name, attributes) in people {
      var user = stored(name, in: place.pool, attributes)
      user.isEnabled = name != "bert"
      user.status = name == "anne" ? .confirmed : .unconfirmed
      try await place.put(user)
    }
    let long = String(repeating: "é", count: 300)
    for (filter, expected) in [
      // Attributes are searched in any case, sorted by their values.
      (#"email = "ANNA@example.com""#, ["anna", "anna2"]), (#"email ^= "anN""#, ["anna", "anna2", "anne"]),
      (#"email ^= "anna@example.com""#, ["anna", "anna2"]), (#"email = "anna""#, []),
      (#"email ^= """#, ["anna", "anna2", "anne", "bert"]), (#"family_name = "Ö""#, ["anna"]),
      (#"given_name ^= "b""#, ["bert"]), (#"phone_number ^= "+1""#, []),
      // User names as the pool compares them.
      (#"username = "anna""#, ["anna"]), (#"username ^= "ann""#, ["anna", "anna2", "anne"]),
      (#"username = "ann""#, []), (#"username ^= "A""#, ["Anna"]),
      (#"sub = "sub-bert""#, ["bert"]), (#"sub ^= "sub-ann""#, ["anna", "anna2", "anne"]),
      (#"status = "Disabled""#, ["bert"]), (#"status = "disabled""#, []),
      (#"cognito:user_status = "confirmed""#, ["anne"]),
      (#"cognito:user_status ^= "UNC""#, ["Anna", "anna", "anna2", "bert", "long"]),
      // The index has the beginning of a long value alone.
      ("name = \"\(long)x\"", ["long"]), ("name = \"\(long)\"", []), ("name ^= \"\(long)\"", ["long"]),
    ] {
      for limit: Int64 in [60, 1] {
        #expect(try await names(place, filter, limit: limit).names == expected, "\(filter)")
      }
    }
  }

  @Test func aPoolThatIgnoresCase() async throws {
    let place = try await AdminUsersPlace { $0.isCaseSensitive = false }
    var user = stored("Anna", in: place.pool)
    user.canonicalName = "anna"
    try await place.put(user)
    #expect(try await names(place, #"username = "ANNA""#).names == ["Anna"])
    #expect(try await names(place, #"username ^= "AN""#).names == ["Anna"])
  }

  @Test func aPageReadsABoundedNumberOfRows() async throws {
    let place = try await AdminUsersPlace()
    let pool = place.pool
    let users = (0..<(UserScan.mostRows + 10)).map { number in
      var user = stored("user\(10_000 + number)", in: pool)
      user.isEnabled = number < UserScan.mostRows
      return user
    }
    try await place.service.store.write { rows throws(UserPoolError) in
      for user in users { try rows.put(user) }
    }
    let first = try await place.service.users.listUsers(
      of: pool.id, filter: #"status = "Disabled""#, limit: nil, token: nil, at: .now)
    #expect(first.elements.isEmpty && first.next != nil)
    let second = try await place.service.users.listUsers(
      of: pool.id, filter: #"status = "Disabled""#, limit: nil, token: first.next, at: .now)
    #expect(second.elements.count == 10 && second.next == nil)
  }

  @Test func tokensBelongToPoolAndFilter() async throws {
    let place = try await AdminUsersPlace()
    for name in ["a", "b", "c"] { try await place.put(stored(name, in: place.pool, ["name": "x"])) }
    let page = try await place.service.users.listUsers(
      of: place.pool.id, filter: nil, limit: 1, token: nil, at: .now)
    let token = try #require(page.next)
    for (filter, token) in [
      (#"name = "x""#, token), (nil, token + "A"), (nil, "A" + token), (nil, ""), (nil, "é"),
    ] {
      await #expect(throws: UserPoolError.pageTokenInvalid) {
        try await place.service.users.listUsers(
          of: place.pool.id, filter: filter, limit: 1, token: token, at: .now)
      }
    }
  }

  @Test func refusals() async throws {
    let place = try await AdminUsersPlace()
    await #expect(throws: UserPoolError.poolUnknown("us-east-1_000000000")) {
      try await place.service.users.listUsers(
        of: "us-east-1_000000000", filter: nil, limit: nil, token: nil, at: .now)
    }
    await #expect(throws: UserPoolError.attributesNotInSchema) {
      try await place.service.users.listUsers(
        of: place.pool.id, filter: nil, attributes: ["email", "custom:x"], limit: nil, token: nil, at: .now)
    }
    await #expect(throws: UserPoolError.filterInvalid) {
      try await place.service.users.listUsers(
        of: place.pool.id, filter: "x", limit: nil, token: nil, at: .now)
    }
  }

  @Test func membersOfAnswers() async throws {
    let place = try await AdminUsersPlace()
    try await place.add("jane", [("email", "jane@example.com"), ("name", "Jane")])
    let user = try await place.user("jane")
    #expect(user.attributesInResponse().map(\.name) == ["sub", "email", "name"])
    #expect(user.attributesInResponse(["name", "phone_number"]).map(\.name) == ["name"])
    let members = user.response()
    #expect(
      members.username == "jane" && members.enabled == true && members.userStatus == .forceChangePassword)
    #expect(members.mfaOptions == nil && user.factorsResponse == nil)
  }
}
