internal import CognitoIdentity
internal import CognitoSync
internal import Testing
internal import TokenSecurityBase

/// A pool's settings for push messages.
@Suite struct ConfigurationTests {
  private static let role = "arn:aws:iam::123456789012:role/push"
  private static func application(_ platform: String, _ name: String = "app") -> String {
    "arn:aws:sns:us-east-1:123456789012:app/\(platform)/\(name)"
  }

  private static func set(
    _ place: SyncFixture, _ applications: [String]?, _ role: String?
  ) async throws -> PushSettings? {
    try await place.call(SetIdentityPoolConfiguration.self, by: SyncFixture.developer) {
      $0.poolID = place.poolID
      $0.push = PushSettings {
        $0.applicationARNs = applications
        $0.roleARN = role
      }
    }.push
  }

  private static func get(_ place: SyncFixture) async throws -> PushSettings? {
    try await place.call(GetIdentityPoolConfiguration.self, by: SyncFixture.developer) {
      $0.poolID = place.poolID
    }.push
  }

  @Test(arguments: SyncStore.allCases)
  func theRoleAdmitsTheService(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    #expect(try await Self.get(place) == nil)
    let gcm = Self.application("GCM")
    // The role does not exist.
    #expect(try await refusal { _ = try await Self.set(place, [gcm], Self.role) }.code == .parameterRefused)
    // It admits the service for another pool.
    try await place.identities.putRole(
      StoredRole(
        arn: Self.role, trustPolicy: PushFixture.trust("us-east-1:00000000-0000-4000-8000-000000000000")))
    #expect(try await refusal { _ = try await Self.set(place, [gcm], Self.role) }.code == .parameterRefused)
    try await place.identities.putRole(
      StoredRole(arn: Self.role, trustPolicy: PushFixture.trust(place.poolID)))
    let all = [gcm, Self.application("APNS"), Self.application("APNS_SANDBOX"), Self.application("ADM")]
    #expect(try await Self.set(place, all, Self.role)?.applicationARNs == all)
    let stored = try await Self.get(place)
    #expect(stored?.applicationARNs == all && stored?.roleARN == Self.role)
    // Nothing set: removed.
    #expect(try await Self.set(place, nil, nil) == nil)
    #expect(try await Self.get(place) == nil)
  }

  @Test func settingsThatAreNotPossible() async throws {
    let place = try await SyncFixture()
    try await place.identities.putRole(
      StoredRole(arn: Self.role, trustPolicy: PushFixture.trust(place.poolID)))
    for (applications, role) in [
      ([Self.application("GCM"), Self.application("GCM", "other")], Self.role), ([], Self.role),
      ([Self.application("GCM")], nil), ([Self.application("WNS")], Self.role),
    ] as [([String], String?)] {
      let error = try await refusal { _ = try await Self.set(place, applications, role) }
      #expect(error.code == .parameterRefused && error.type == "InvalidParameterException")
    }
    for arn in [
      "arn:aws:sns:us-east-1:1:app/GCM", "arn:aws:sns:us-east-1::app/GCM/a", "x",
      "arn:aws:sns:us-east-1:1:app/GCM/a b",
    ] {
      #expect(
        try await refusal { _ = try await Self.set(place, [arn], Self.role) }.codeText == "member_pattern")
    }
    let streams = try await refusal {
      _ = try await place.call(SetIdentityPoolConfiguration.self, by: SyncFixture.developer) {
        $0.poolID = place.poolID
        $0.streams = StreamSettings { $0.name = "stream" }
      }
    }
    #expect(streams.codeText == "member_not_supported")
  }

  /// Without applications no device can be registered.
  @Test func devicesNeedAnApplication() async throws {
    let place = try await SyncFixture()
    let error = try await refusal {
      _ = try await place.call(RegisterDevice.self) {
        $0.poolID = place.poolID
        $0.identityID = place.identityID
        $0.platform = .gcm
        $0.token = "token"
      }
    }
    #expect(error.code == .pushNotConfigured && error.type == "InvalidConfigurationException")
    #expect(error.status == 400)
  }
}
