internal import CognitoIdentity
internal import CognitoSync
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

/// The policies of an identity's role limit what its credentials may do with its data sets.
@Suite struct RolePolicyTests {
  private static func allow(_ action: String, _ resource: String, _ effect: String = "Allow") -> String {
    #"{"Version": "2012-10-17", "Statement": {"Effect": "\#(effect)", "Action": "cognito-sync:\#(action)", "#
      + #""Resource": "\#(resource)"}}"#
  }

  private static func identity(_ place: SyncFixture) -> String {
    "arn:aws:cognito-sync:us-east-1:123456789012:identitypool/\(place.poolID)/identity/\(place.identityID)"
  }

  /// The operations of identities and the rest of their resources.
  private static let operations = [
    "ListDatasets": "", "DescribeIdentityUsage": "", "RegisterDevice": "",
    "DescribeDataset": "/dataset/notes",
    "ListRecords": "/dataset/notes", "UpdateRecords": "/dataset/notes", "DeleteDataset": "/dataset/notes",
    "SubscribeToDataset": "/dataset/notes", "UnsubscribeFromDataset": "/dataset/notes",
  ]

  private static func call(_ operation: String, _ place: SyncFixture) async throws {
    let (pool, identity, notes) = (place.poolID, place.identityID, place.name("notes"))
    switch operation {
    case "ListDatasets":
      _ = try await place.call(ListDatasets.self) { ($0.poolID, $0.identityID) = (pool, identity) }
    case "DescribeIdentityUsage":
      _ = try await place.call(DescribeIdentityUsage.self) { ($0.poolID, $0.identityID) = (pool, identity) }
    case "RegisterDevice":
      _ = try await place.call(RegisterDevice.self) {
        ($0.poolID, $0.identityID, $0.token) = (pool, identity, "token")
      }
    case "DescribeDataset": _ = try await place.call(DescribeDataset.self) { $0 = notes }
    case "ListRecords": _ = try await place.list("notes")
    case "UpdateRecords":
      _ = try await place.call(UpdateRecords.self) { ($0.dataset, $0.sessionToken) = (notes, "token") }
    case "DeleteDataset": _ = try await place.call(DeleteDataset.self) { $0 = notes }
    case "SubscribeToDataset":
      _ = try await place.call(SubscribeToDataset.self) { ($0.dataset, $0.deviceID) = (notes, "device") }
    default:
      _ = try await place.call(UnsubscribeFromDataset.self) { ($0.dataset, $0.deviceID) = (notes, "device") }
    }
  }

  @Test func theListIsWhole() {
    let ofIdentities = dataSets.operations.map { $0.declaration }.filter {
      guard case .signed(let signature) = $0.access else { return false }
      return signature.identity
    }
    #expect(Set(ofIdentities.map(\.name.text)) == Set(Self.operations.keys))
  }

  /// The code of a call; empty for one that is not refused.
  private static func code(_ body: () async throws -> Void) async throws -> String {
    do { try await body() } catch let error as SyncError { return error.codeText }
    return ""
  }

  @Test(arguments: SyncStore.allCases)
  func eachOperationNeedsItsActionAndResource(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let identity = Self.identity(place)
    let path = "arn:aws:cognito-sync:*:*:identitypool/*/identity/"
    for (name, resource) in Self.operations {
      try await place.putRole()
      let before = try await Self.code { try await Self.call(name, place) }
      #expect(before != "role_policy_refused")
      for (action, resource, isAllowed) in [
        (name, identity + resource, true), (name, "*", true), ("*", identity + "*", true),
        (name, identity + resource + "x", false), (name + "x", "*", false),
        (name, identity.replacing(place.identityID, with: "us-east-1:0") + resource, false),
        (name, path + "${cognito-identity.amazonaws.com:sub}" + resource, true),
        (name, path + "${aws:PrincipalTag/team}" + resource, false),
      ] {
        try await place.putRole(["p": Self.allow(action, resource)])
        let found = try await Self.code { try await Self.call(name, place) }
        #expect((found == "role_policy_refused") != isAllowed, "\(name) \(action) \(resource): \(found)")
      }
      try await place.putRole(["all": Self.allow("*", "*"), "none": Self.allow(name, "*", "Deny")])
      #expect(try await Self.code { try await Self.call(name, place) } == "role_policy_refused")
    }
  }

  /// Each identity has its own data sets alone, and developers' calls are those of developers, whatever policies say.
  @Test func policiesOpenNoOtherIdentity() async throws {
    let place = try await SyncFixture()
    try await place.putRole(["all": Self.allow("*", "*")])
    try await place.update("notes", [.set("a", "1")])
    let other = try await place.identities.resolveIdentity(poolID: place.poolID, at: SyncFixture.now)
    let error = try await refusal {
      _ = try await place.call(DescribeDataset.self, by: place.session(place.poolID, other)) {
        $0 = place.name("notes")
      }
    }
    #expect(error.code == .callerForbidden)
    let settings = try await refusal {
      _ = try await place.call(GetIdentityPoolConfiguration.self) { $0.poolID = place.poolID }
    }
    #expect(settings.code == .callerForbidden)
  }

  @Test func refusals() async throws {
    let place = try await SyncFixture()
    try await place.putRole(["p": Self.allow("ListDatasets", "*")])
    let error = try await refusal { _ = try await place.list("notes") }
    #expect(error.type == "AccessDeniedException" && error.status == 403)
    #expect(
      error.publicMessage
        == "User: arn:aws:sts::123456789012:assumed-role/guest/session is not authorized to perform: "
        + "cognito-sync:ListRecords on resource: \(Self.identity(place))/dataset/notes")
    // Developers have no role.
    _ = try await place.call(ListRecords.self, by: SyncFixture.developer) { $0.dataset = place.name("notes") }
    try await place.store.write { rows throws(IdentityError) in try rows.removeRole(SyncFixture.role) }
    let removed = try await refusal { _ = try await place.list("notes") }
    #expect(removed.codeText == "caller_forbidden" && removed.status == 403)
  }

  @Test func theAddressOfTheCall() async throws {
    let place = try await SyncFixture()
    for (range, code) in [("203.0.113.0/24", ""), ("198.51.100.0/24", "role_policy_refused")] {
      let policy =
        #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "cognito-sync:*", "Resource": "*", "#
        + #""Condition": {"IpAddress": {"aws:SourceIp": "\#(range)"}}}}"#
      try await place.putRole(["p": policy])
      #expect(try await Self.code { _ = try await place.list("notes") } == code)
    }
  }
}
