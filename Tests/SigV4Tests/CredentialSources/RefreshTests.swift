internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityTesting

/// Credentials that expire and are renewed.
@Suite struct RefreshTests {
  /// Returns new credentials that are valid for an hour, after the gate opens.
  final class Source: CredentialsSource {
    let count = Tally()
    let failing = Mutex(false)
    let gate: Gate

    init(gate: Gate = Gate(isOpen: true)) { self.gate = gate }

    func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
      let number = count.add()
      await gate.pass()
      guard !failing.withLock({ $0 }) else { throw .serviceUnreachable("down") }
      do {
        return try CredentialMaterial.credentials("AKID\(number)", expiration: now.advanced(bySeconds: 3_600))
      } catch {
        throw .notFound(tried: [])
      }
    }
  }

  private func later(_ seconds: Int64) -> Timestamp { CredentialMaterial.now.advanced(bySeconds: seconds) }

  @Test func onceHoweverManyWait() async throws {
    let gate = Gate()
    let source = Source(gate: gate)
    let refreshing = RefreshingCredentials(source)
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { try await refreshing.credentials(at: CredentialMaterial.now).accessKeyID }
      }
      try await eventually { source.count.value > 0 }
      gate.open()
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids == ["AKID1"])
    #expect(source.count.value == 1)
  }

  @Test func earlyAndWithoutWaiting() async throws {
    let source = Source()
    let refreshing = RefreshingCredentials(source)
    #expect(try await refreshing.credentials(at: later(0)).accessKeyID == "AKID1")
    #expect(try await refreshing.credentials(at: later(3_299)).accessKeyID == "AKID1")
    #expect(source.count.value == 1)
    // Within five minutes of the expiration the cached credentials are returned, and new ones are requested.
    #expect(try await refreshing.credentials(at: later(3_300)).accessKeyID == "AKID1")
    try await eventually { (try? await refreshing.credentials(at: later(3_301)).accessKeyID) == "AKID2" }
    #expect(try await refreshing.credentials(at: later(3_301)).accessKeyID == "AKID2")
    #expect(source.count.value == 2)
  }

  @Test func failuresAreNotNoticedWhileSomethingHolds() async throws {
    let source = Source()
    let refreshing = RefreshingCredentials(source)
    _ = try await refreshing.credentials(at: later(0))
    source.failing.withLock { $0 = true }
    for seconds in [3_400, 3_401, 3_405] as [Int64] {
      #expect(try await refreshing.credentials(at: later(seconds)).accessKeyID == "AKID1")
    }
    try await eventually { source.count.value == 2 }
    // The next attempt is after a pause.
    try await eventually {
      let id = try? await refreshing.credentials(at: later(3_415)).accessKeyID
      return source.count.value == 3 || id != "AKID1"
    }
    #expect(source.count.value == 3)
    await #expect(throws: CredentialsError.serviceUnreachable("down")) {
      try await refreshing.credentials(at: later(3_600))
    }
    source.failing.withLock { $0 = false }
    #expect(try await refreshing.credentials(at: later(3_601)).accessKeyID != "AKID1")
  }

  @Test func credentialsThatHaveEndedAlready() async throws {
    let ended = try CredentialMaterial.credentials(expiration: later(-1))
    let refreshing = RefreshingCredentials(StaticCredentials(ended))
    await #expect(throws: CredentialsError.unusable(.credentialsExpired(at: later(-1), now: later(0)))) {
      try await refreshing.credentials(at: later(0))
    }
  }
}

extension RefreshTests {
  @Test func aCancelledCallerLeavesAndTheRenewalContinues() async throws {
    let gate = Gate()
    let source = Source(gate: gate)
    let refreshing = RefreshingCredentials(source)
    let leaver = Task { try await refreshing.credentials(at: CredentialMaterial.now).accessKeyID }
    try await eventually { source.count.value == 1 }
    leaver.cancel()
    await #expect(throws: CredentialsError.serviceUnreachable("the call was cancelled")) {
      try await leaver.value
    }
    gate.open()
    #expect(try await refreshing.credentials(at: CredentialMaterial.now).accessKeyID == "AKID1")
    #expect(source.count.value == 1)
  }
}
