internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Groups and their members, and the removal of pools.
@Suite struct PoolsGroupTests {
  private func name(_ pool: String, _ group: String, _ rest: String = "") -> String {
    #"{"UserPoolId":"\#(pool)","GroupName":"\#(group)"\#(rest)}"#
  }

  private func sub(_ number: Int) -> String {
    "00000000-0000-4000-8000-00000000000\(number)"
  }

  @Test func groupsAreMadeReplacedAndRemoved() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    let role = "arn:aws:iam::123456789012:role/admins"
    let made = try await s.call(
      "CreateGroup", name(pool, "admins", #","Description":"all","RoleArn":"\#(role)","Precedence":0"#))
    #expect(made.at("Group", "RoleArn")?.string == role && made.at("Group", "Precedence")?.int64 == 0)
    #expect(made.at("Group", "CreationDate")?.int64 == 1_800_000_000)
    #expect(try await s.call("GetGroup", name(pool, "admins")) == made)
    #expect(await s.code("CreateGroup", name(pool, "admins")) == "group_exists")
    // Names are compared by their bytes.
    _ = try await s.call("CreateGroup", name(pool, "Admins"))

    let later = PoolsService.now + .seconds(5)
    let updated = try await s.call("UpdateGroup", name(pool, "admins", #","Precedence":3"#), at: later)
    #expect(updated.at("Group", "Precedence")?.int64 == 3 && updated.at("Group", "RoleArn") == nil)
    #expect(updated.at("Group", "Description") == nil)
    #expect(updated.at("Group", "LastModifiedDate")?.int64 == 1_800_000_005)
    try await s.call("DeleteGroup", name(pool, "admins"))
    for operation in ["GetGroup", "UpdateGroup", "DeleteGroup", "ListUsersInGroup"] {
      let refusal = await s.refusal(operation, name(pool, "admins"))
      #expect(refusal == .groupUnknown && refusal?.description == "Group not found.")
    }
    #expect(await s.code("CreateGroup", name(pool, "a", #","Precedence":-1"#)) == "member_range")
    #expect(await s.code("CreateGroup", name(pool, "a b")) == "member_pattern")
  }

  @Test func groupsAreListedInPages() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    for group in ["c", "a", "b"] { _ = try await s.call("CreateGroup", name(pool, group)) }
    let first = try await s.call("ListGroups", #"{"UserPoolId":"\#(pool)","Limit":2}"#)
    #expect(first["Groups"]?.array?.compactMap { $0.object?["GroupName"]?.string } == ["a", "b"])
    let token = try #require(first["NextToken"]?.string)
    let rest = try await s.call("ListGroups", #"{"UserPoolId":"\#(pool)","NextToken":"\#(token)"}"#)
    #expect(rest["Groups"]?.array?.compactMap { $0.object?["GroupName"]?.string } == ["c"])
    #expect(rest["NextToken"] == nil)
    let all = try await s.call("ListGroups", #"{"UserPoolId":"\#(pool)","Limit":0}"#)
    #expect(all["Groups"]?.array?.count == 3)
  }

  @Test func usersAreMembers() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    for group in ["a", "b"] { _ = try await s.call("CreateGroup", name(pool, group)) }
    try await s.putUser("ann", pool, sub: sub(1))
    try await s.putUser("ben", pool, sub: sub(2))
    let (ann, ben) = (#","Username":"ann""#, #","Username":"\#(sub(2))""#)
    try await s.call("AdminAddUserToGroup", name(pool, "a", ann))
    try await s.call("AdminAddUserToGroup", name(pool, "a", ann))
    try await s.call("AdminAddUserToGroup", name(pool, "b", ann))
    try await s.call("AdminAddUserToGroup", name(pool, "a", ben))
    #expect(
      await s.code("AdminAddUserToGroup", name(pool, "a", #","Username":"cid""#)) == "user_unknown")
    #expect(await s.code("AdminAddUserToGroup", name(pool, "x", ann)) == "group_unknown")

    let first = try await s.call("ListUsersInGroup", name(pool, "a", #","Limit":1"#))
    let user = try #require(first["Users"]?.array?.first?.object)
    #expect(user["Username"]?.string == "ann" && user["UserStatus"]?.string == "UNCONFIRMED")
    #expect(user["Enabled"]?.bool == true)
    #expect(
      user["Attributes"]
        == .array([
          .object(["Name": "sub", "Value": .string(sub(1))]),
          .object(["Name": "email", "Value": "ann@example.com"]),
        ]))
    let token = try #require(first["NextToken"]?.string)
    let rest = try await s.call("ListUsersInGroup", name(pool, "a", #","NextToken":"\#(token)""#))
    #expect(rest["Users"]?.array?.compactMap { $0.object?["Username"]?.string } == ["ben"])
    #expect(rest["NextToken"] == nil)
    #expect(
      await s.code("ListUsersInGroup", name(pool, "b", #","NextToken":"\#(token)""#))
        == "page_token_invalid")

    func groups(_ user: String, _ rest: String = "") async throws -> JSONObject {
      try await s.call("AdminListGroupsForUser", #"{"UserPoolId":"\#(pool)","Username":"\#(user)"\#(rest)}"#)
    }
    let ofAnn = try await groups("ann", #","Limit":1"#)
    #expect(ofAnn["Groups"]?.array?.compactMap { $0.object?["GroupName"]?.string } == ["a"])
    let next = try #require(ofAnn["NextToken"]?.string)
    let others = try await groups("ann", #","NextToken":"\#(next)""#)
    #expect(others["Groups"]?.array?.compactMap { $0.object?["GroupName"]?.string } == ["b"])
    #expect(
      await s.code(
        "AdminListGroupsForUser",
        #"{"UserPoolId":"\#(pool)","Username":"ben","NextToken":"\#(next)"}"#) == "page_token_invalid")

    try await s.call("AdminRemoveUserFromGroup", name(pool, "a", ann))
    try await s.call("AdminRemoveUserFromGroup", name(pool, "a", ann))
    #expect(try await groups("ann")["Groups"]?.array?.count == 1)
    #expect(try await groups("ben")["Groups"]?.array?.count == 1)
  }

  @Test func aUserHasAtMostAHundredGroups() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    try await s.putUser("ann", pool, sub: sub(1))
    for number in 0...100 {
      _ = try await s.call("CreateGroup", name(pool, "g\(number)"))
      let member = name(pool, "g\(number)", #","Username":"ann""#)
      #expect(await s.code("AdminAddUserToGroup", member) == (number == 100 ? "limit_reached" : nil))
    }
    #expect(await s.code("AdminAddUserToGroup", name(pool, "g5", #","Username":"ann""#)) == nil)
  }

  @Test func aLaterGroupOfTheSameNameHasNoMembers() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    _ = try await s.call("CreateGroup", name(pool, "a"))
    for number in 0..<5 {
      try await s.putUser("u\(number)", pool, sub: sub(number))
      try await s.call("AdminAddUserToGroup", name(pool, "a", #","Username":"u\#(number)""#))
    }
    var group = GroupName()
    group.userPoolID = pool
    group.groupName = "a"
    try await s.service.groups.deleteGroup(group, portion: 2, CallContext(at: .now))
    #expect(await s.code("GetGroup", name(pool, "a")) == "group_unknown")
    _ = try await s.call("CreateGroup", name(pool, "a"))
    #expect(try await s.call("ListUsersInGroup", name(pool, "a"))["Users"]?.array?.isEmpty == true)
  }

  @Test func aRemovedPoolIsUnknownAtOnceAndItsRowsGo() async throws {
    let s = try PoolsService()
    let (pool, kept) = (try await s.makePoolID(), try await s.makePoolID())
    let client = try #require(try await s.makeClient(pool)["ClientId"]?.string)
    let other = try #require(try await s.makeClient(kept)["ClientId"]?.string)
    _ = try await s.call("CreateGroup", name(pool, "a"))
    for number in 0..<5 {
      try await s.putUser("u\(number)", pool, sub: sub(number))
      try await s.call("AdminAddUserToGroup", name(pool, "a", #","Username":"u\#(number)""#))
    }
    try await s.putUser("kept", kept, sub: sub(9))
    try await s.call("UpdateUserPool", #"{"UserPoolId":"\#(pool)","DeletionProtection":"ACTIVE"}"#)
    let refusal = await s.refusal("DeleteUserPool", #"{"UserPoolId":"\#(pool)"}"#)
    #expect(refusal == .deletionProtected && refusal?.type == "InvalidParameterException")
    try await s.call("UpdateUserPool", #"{"UserPoolId":"\#(pool)"}"#)
    try await s.call("DeleteUserPool", #"{"UserPoolId":"\#(pool)"}"#)

    for operation in [
      "DescribeUserPool", "UpdateUserPool", "DeleteUserPool", "ListUserPoolClients", "ListGroups",
      "GetUserPoolMfaConfig",
    ] {
      #expect(await s.refusal(operation, #"{"UserPoolId":"\#(pool)"}"#) == .poolUnknown(pool))
    }
    #expect(await s.code("CreateGroup", name(pool, "b")) == "user_pool_unknown")
    let found = try await s.store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      (try? rows.existingClient(client)) == nil
    }
    #expect(found)
    while try await s.service.maintenance.continueRemovals(portion: 2) {}
    let left = try await s.store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      [
        try rows.count(UserPoolTables.pools, limit: 100), try rows.count(UserPoolTables.clients, limit: 100),
        try rows.count(UserPoolTables.users, limit: 100), try rows.count(UserPoolTables.groups, limit: 100),
        try rows.count(UserPoolTables.memberships, limit: 100),
      ]
    }
    #expect(left == [1, 1, 1, 0, 0])
    #expect(try await s.describePool(kept)["EstimatedNumberOfUsers"]?.int64 == 1)
    #expect(
      await s.code("DescribeUserPoolClient", #"{"UserPoolId":"\#(kept)","ClientId":"\#(other)"}"#) == nil)
  }
}
