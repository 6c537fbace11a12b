internal import CognitoIdentity
internal import CognitoSync
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

/// Who may call.
@Suite struct CallerTests {
  private static func describe(
    _ place: SyncFixture, by caller: IdentityPoolOperations.Caller, _ name: DatasetName? = nil
  ) async throws {
    _ = try await place.call(DescribeDataset.self, by: caller) { $0 = name ?? place.name("notes") }
  }

  @Test func identitiesCallForThemselves() async throws {
    let place = try await SyncFixture()
    try await place.update("notes", [.set("a", "1")])
    try await Self.describe(place, by: place.session)
    let other = try await place.identities.resolveIdentity(poolID: place.poolID, at: SyncFixture.now)
    for caller in [
      place.session(place.poolID, other),
      place.session("us-east-1:00000000-0000-4000-8000-000000000000", other),
      place.session("us-east-1:00000000-0000-4000-8000-000000000000", place.identityID),
      place.session(place.poolID, ""),
    ] {
      let error = try await refusal { try await Self.describe(place, by: caller) }
      #expect(error.code == .callerForbidden && error.status == 403)
      #expect(error.type == "NotAuthorizedException")
    }
    let settings = try await refusal {
      _ = try await place.call(GetIdentityPoolConfiguration.self) { $0.poolID = place.poolID }
    }
    #expect(settings.code == .callerForbidden)
    let unsigned = try await refusal { try await Self.describe(place, by: .unsigned) }
    #expect(unsigned.codeText == "call_unsigned" && unsigned.status == 403)
  }

  @Test func developersCallWithinTheirScope() async throws {
    let place = try await SyncFixture()
    try await place.update("notes", [.set("a", "1")])
    try await Self.describe(place, by: SyncFixture.developer)
    func key(_ scope: AccessKeyScope?) -> IdentityPoolOperations.Caller {
      .developer(accessKeyID: "AKIAEXAMPLE", scope: scope)
    }
    try await Self.describe(
      place, by: key(try AccessKeyScope(pools: [place.poolID], capabilities: [.reading])))
    for scope in [
      nil, try AccessKeyScope(pools: nil, capabilities: [.administering]),
      try AccessKeyScope(pools: ["us-east-1:00000000-0000-4000-8000-000000000000"], capabilities: [.reading]),
    ] {
      #expect(try await refusal { try await Self.describe(place, by: key(scope)) }.code == .callerForbidden)
    }
    let error = try await refusal {
      _ = try await place.call(RegisterDevice.self, by: SyncFixture.developer) {
        $0.poolID = place.poolID
        $0.identityID = place.identityID
        $0.token = "token"
      }
    }
    #expect(error.code == .callerForbidden)
    // A change by a developer is a change by the account.
    let token = try #require(try await place.list("notes").sessionToken)
    _ = try await place.call(UpdateRecords.self, by: SyncFixture.developer) {
      $0.dataset = place.name("notes")
      $0.sessionToken = token
      $0.deviceID = "0b4e3f5a-6a35-4a40-9d1c-2f6f1f0f3a11"
      $0.patches = [.set("b", "1")]
    }
    #expect(try await place.list("notes").modifiedBy == "123456789012")
  }

  @Test(arguments: SyncStore.allCases)
  func theIdentityIsAlive(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    try await place.update("notes", [.set("a", "1")])
    #expect(try await place.identities.deleteIdentities([place.identityID]).isEmpty)
    let own = try await refusal { try await Self.describe(place, by: place.session) }
    #expect(own.code == .callerForbidden && own.status == 403)
    let developers = try await refusal { try await Self.describe(place, by: SyncFixture.developer) }
    #expect(developers.codeText == "identity_unknown" && developers.status == 404)
    #expect(developers.type == "ResourceNotFoundException")
    // Lists never answer that something does not exist.
    let list = try await refusal {
      _ = try await place.call(ListRecords.self, by: SyncFixture.developer) {
        $0.dataset = place.name("notes")
      }
    }
    #expect(list.code == .callerForbidden)
    try await place.identities.deletePool(place.poolID)
    let pool = try await refusal {
      _ = try await place.call(GetIdentityPoolConfiguration.self, by: SyncFixture.developer) {
        $0.poolID = place.poolID
      }
    }
    #expect(pool.codeText == "pool_unknown" && pool.status == 404)
  }

  /// The statuses of the service's model.
  @Test func statuses() {
    for (error, type, status) in [
      (IdentityError.signatureMissing, "MissingAuthenticationTokenException", 403),
      (.sessionTokenInvalid, "NotAuthorizedException", 403),
      (.callerForbidden(rule: ""), "AccessDeniedException", 403),
      (.identityDisabled("a"), "NotAuthorizedException", 403),
      (.poolUnknown("a"), "ResourceNotFoundException", 404),
      (.storeBusy, "TooManyRequestsException", 429), (.storeFailed(""), "InternalErrorException", 500),
      (.request(.tooManyRequests), "TooManyRequestsException", 429),
      (.nextTokenInvalid, "InvalidParameterException", 400),
      (
        .callRepeated(code: "a", type: "ResourceConflictException", message: ""), "ResourceConflictException",
        409
      ),
    ] as [(IdentityError, String, Int)] {
      let reported = error.reported(in: .rest)
      #expect(reported.type == type && reported.status == status, "\(error)")
      // In the other protocols as before.
      #expect(error.reported(in: .json(targetPrefix: "A")).status == (status == 500 ? 500 : 400))
    }
    for (error, type, status) in [
      (SyncError.storeBusy, "TooManyRequestsException", 429),
      (.outcomeUnknown("a"), "InternalErrorException", 500),
      (.pushUnavailable("a"), "InternalErrorException", 500),
      (.deviceUnknown("a"), "ResourceNotFoundException", 404),
      (.request(.bodyTooLarge(limit: 1)), "InvalidParameterException", 400),
      (.request(.failed("a")), "InternalErrorException", 500),
    ] as [(SyncError, String, Int)] {
      #expect(error.type == type && error.status == status, "\(error)")
      #expect(status != 500 || error.publicMessage == "An internal error occurred.")
    }
  }

  @Test func operationsThatAreNotBuilt() throws {
    let pool = "/identitypools/us-east-1:0-0"
    for (method, path) in [
      ("GET", "/identitypools"), ("GET", pool), ("GET", pool + "/events"), ("POST", pool + "/events"),
      ("POST", pool + "/bulkpublish"), ("POST", pool + "/getBulkPublishDetails"),
    ] {
      #expect {
        try SyncFixture.router.route(OperationRequestHead(method: method, target: path, headers: []))
      } throws: { error in
        guard case .operationNotBuilt? = error as? OperationError else { return false }
        return (error as? OperationError)?.type == "NotImplementedException"
      }
    }
    for (method, path) in [
      ("PUT", pool), ("GET", pool + "/bulkpublish"), ("GET", "/identitypools/a/b/c/d/e/f"),
    ] {
      #expect {
        try SyncFixture.router.route(OperationRequestHead(method: method, target: path, headers: []))
      } throws: { error in
        (error as? OperationError)?.code == .operationUnknown
          && (error as? OperationError)?.reported(in: .rest).status == 404
      }
    }
  }
}
