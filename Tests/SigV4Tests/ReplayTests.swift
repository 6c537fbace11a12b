internal import SigV4
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Which requests a replay cache stores, and for how long.
@Suite struct ReplayTests {
  private static let start = Material.now

  private func insert(
    _ cache: ReplayCache, _ name: Int, end: Int64 = 900, at now: Int64 = 0,
    _ placement: SignaturePlacement = .header
  ) -> Bool {
    cache.insert(
      Array("request \(name)".utf8), placement: placement, until: Self.start.advanced(bySeconds: end),
      at: Self.start.advanced(bySeconds: now))
  }

  @Test func anEntryCountsUpToItsLastSecond() {
    let cache = ReplayCache()
    #expect(insert(cache, 1))
    #expect(!insert(cache, 1, at: 899))
    #expect(!insert(cache, 1, at: 900))
    #expect(insert(cache, 1, end: 2_000, at: 901))
    #expect(!insert(cache, 1, end: 2_000, at: 2_000))
  }

  @Test func aFullCacheForgetsNothingThatIsValid() {
    let cache = ReplayCache(capacity: 3)
    for name in 1...3 { #expect(insert(cache, name, end: 900 + Int64(name))) }
    #expect(!insert(cache, 4, at: 901))
    #expect(insert(cache, 4, end: 1_800, at: 902))
    #expect(!insert(cache, 2, end: 902, at: 902))
    #expect(!insert(cache, 3, end: 903, at: 902))
    #expect(cache.count == 3)
  }

  /// A clock is ahead for a moment: entries that looked expired are refused when it is right again.
  @Test(arguments: [1_000, 86_400, 400 * 86_400, 100 * 366 * 86_400] as [Int64])
  func aMomentAhead(jump: Int64) {
    let cache = ReplayCache()
    for name in 0..<3_000 { #expect(insert(cache, name, at: Int64(name / 100))) }
    for name in 3_000..<3_500 { #expect(insert(cache, name, end: jump + 900, at: jump)) }
    for name in 0..<3_000 { #expect(!insert(cache, name, at: 31)) }
  }

  /// A cache that filled while the clock was ahead accepts requests when the clock is right, and keeps all
  /// valid entries.
  @Test(arguments: [86_400, 400 * 86_400, 100 * 366 * 86_400] as [Int64])
  func aMomentAheadWithAFullCache(jump: Int64) {
    let cache = ReplayCache(capacity: 100)
    for name in 0..<50 { #expect(insert(cache, name)) }
    for name in 50..<100 { #expect(insert(cache, name, end: jump + 900, at: jump)) }
    for name in 100..<150 { #expect(insert(cache, name, at: 10)) }
    for name in 0..<50 { #expect(!insert(cache, name, at: 10)) }
    // Full of valid entries.
    #expect(!insert(cache, 150, at: 10))
    #expect(insert(cache, 150, end: 1_801, at: 901))
  }

  /// A clock goes back: entries from before are refused, and new requests are accepted.
  @Test(arguments: [1, 600, 900, 86_400, 4_000 * 86_400] as [Int64])
  func aClockThatGoesBack(jump: Int64) {
    let cache = ReplayCache()
    for name in 0..<100 { #expect(insert(cache, name)) }
    for name in 100..<200 { #expect(insert(cache, name, end: 900 - jump, at: -jump)) }
    for name in 0..<100 { #expect(!insert(cache, name, at: -jump)) }
    for name in 100..<200 { #expect(!insert(cache, name, end: 900 - jump, at: -jump)) }
    for name in 0..<100 { #expect(!insert(cache, name, at: 0)) }
  }

  /// Each insertion removes a few expired entries.
  @Test func expiredEntriesGo() {
    let cache = ReplayCache()
    for name in 0..<20_000 { #expect(insert(cache, name)) }
    for name in 20_000..<50_000 { #expect(insert(cache, name, end: 2_000, at: 1_000)) }
    #expect(cache.count == 30_000)
  }

  /// A replay begins before a request expires, and its body is complete after the cache has removed the
  /// entry.
  @Test(arguments: [false, true]) func aBodyThatComesSlowly(inPieces: Bool) throws {
    let (credentials, signer) = (try Material.credentials(), try Material.signer())
    let verifier = try RequestVerifier(policy: Material.policy(), replays: ReplayCache())
    func verify(_ name: Int, at seconds: Int64, slowly: Bool = false) throws {
      let date = Self.start.advanced(bySeconds: name == 0 ? 0 : seconds)
      let head = try signer.sign(Material.head("GET", "/\(name)"), with: credentials, at: date).head
      var pending = try verifier.parse(head, at: Self.start.advanced(bySeconds: seconds))
      if slowly { pending.parsed = pending.parsed.map { $0 - .seconds(60) } }
      if inPieces {
        let body = try verifier.verifyBody(pending, key: .credentials(credentials))
        _ = try body.finish()
      } else {
        _ = try verifier.verify(pending, key: .credentials(credentials), body: [])
      }
    }
    try verify(0, at: 0)
    // The first entry is removed.
    for name in 1..<3_000 { try verify(name, at: 930) }
    #expect(Material.code { try verify(0, at: 890, slowly: true) } == .requestExpired)
    // A valid request is accepted.
    #expect(Material.code { try verify(3_000, at: 940, slowly: true) } == nil)
  }

  /// Whether another body uses up a request: one with the hash in a header (S3) by the caller's choice, another one never.
  @Test(arguments: ["s3", "execute-api"], [false, true]) func anotherBody(service: String, atEnd: Bool)
    throws
  {
    let credentials = try Material.credentials()
    let verifier = try RequestVerifier(policy: Material.policy(service), replays: ReplayCache())
    let head = try Material.signer(service).sign(
      Material.head("PUT", "/key"), body: .bytes([1, 2]), with: credentials, at: Self.start
    ).head
    func code(_ body: [UInt8]) throws -> SigV4Error.Code? {
      Material.code {
        var reader = try verifier.verifyBody(
          verifier.parse(head, at: Self.start), key: .credentials(credentials), release: .immediately,
          remembersAtEnd: atEnd)
        _ = try reader.read(body)
        _ = try reader.finish()
      }
    }
    #expect(try code([1, 3]) == (service == "s3" ? .payloadHashMismatch : .signatureMismatch))
    #expect(try code([1, 2]) == (service == "s3" && !atEnd ? .replayed : nil))
    #expect(try code([1, 2]) == .replayed)
  }

  @Test func presignedURLs() {
    let usual = ReplayCache()
    #expect(insert(usual, 1, .query) && insert(usual, 1, .query))
    #expect(usual.count == 0)
    let strict = ReplayCache(includesPresigned: true)
    #expect(insert(strict, 1, end: 604_800, .query))
    #expect(!insert(strict, 1, end: 604_800, at: 604_800, .query))
  }

  /// Compared with a list of all requests: no valid request is accepted twice, for any clock.
  @Test(arguments: 1...8) func randomClocks(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let cache = ReplayCache(capacity: 5_000)
    var ends: [Int: Int64] = [:]
    var now: Int64 = 0
    for step in 0..<TestScale.count(4_000) {
      switch Int.random(in: 0..<100, using: &random) {
      case 0: now += Int64.random(in: -1_000_000...1_000_000, using: &random)
      case 1: now = 0
      default: now += Int64.random(in: 0...3, using: &random)
      }
      let name = Bool.random(using: &random) ? step : Int.random(in: 0...step, using: &random)
      if let end = ends[name] {
        // Valid until its end, and not more than 1,800 seconds before it.
        guard now <= end, end - now <= 1_800 else { continue }
        #expect(!insert(cache, name, end: end, at: now), "step \(step)")
      } else {
        let end = now + Int64.random(in: 0...1_800, using: &random)
        #expect(insert(cache, name, end: end, at: now), "step \(step)")
        ends[name] = end
      }
    }
  }
}

extension ReplayTests {
  private func insert(
    _ cache: ReplayCache, _ name: Int, _ placement: SignaturePlacement
  ) -> Bool { insert(cache, name, end: 900, at: 0, placement) }
}
