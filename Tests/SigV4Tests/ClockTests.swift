internal import SigV4
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Instants and durations of every size: sums saturate, and the result is that of exact arithmetic.
@Suite struct ClockTests {
  private static let edges: [Int64] = [
    .min, .min + 1, -253_402_300_800, -604_801, -900, -1, 0, 1, 59, 900, 604_800, 604_801, 86_399, 86_400,
    253_402_300_799, 253_402_300_800, .max - 1, .max,
  ]

  private func number(_ random: inout SeededGenerator) -> Int64 {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Self.edges.randomElement(using: &random) ?? 0
    case 1: Int64.random(in: .min ... .max, using: &random)
    case 2: Int64.random(in: 0...253_402_300_799, using: &random)
    default: Int64.random(in: -2_000...2_000, using: &random)
    }
  }

  private func clamped(_ value: Int128) -> Int128 { min(max(value, -62_135_596_800), 253_402_300_799) }

  /// The instant of a signature, not before 1970.
  private func second(_ instant: Timestamp) -> Int128 { Int128(max(0, instant.seconds)) }

  @Test(arguments: [UInt64](1...4)) func sums(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<TestScale.count(20_000) {
      let (start, step) = (number(&random), number(&random))
      let sum = Timestamp(seconds: start).advanced(bySeconds: step)
      #expect(Int128(sum.seconds) == clamped(clamped(Int128(start)) + Int128(step)))
    }
  }

  @Test(arguments: [UInt64](1...4)) func skews(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let credentials = try Material.credentials()
    let signer = try Material.signer()
    for _ in 0..<TestScale.count(300) {
      let date = Timestamp(seconds: number(&random))
      var policy = Material.policy()
      let skew = number(&random)
      policy.skew = .seconds(skew)
      // Half of the clocks are near the request's date.
      let isNear = Bool.random(using: &random)
      let now =
        isNear
        ? date.advanced(bySeconds: Int64.random(in: -2_000...2_000, using: &random))
        : Timestamp(seconds: number(&random))
      let verifier = try RequestVerifier(policy: policy, replays: ReplayCache())
      let head = try signer.sign(Material.head(), with: credentials, at: date).head
      let code = Material.code {
        _ = try verifier.verify(verifier.parse(head, at: now), key: .credentials(credentials), body: [])
      }
      let distance = second(now) - second(date)
      // Instants outside the calendar are moved to its ends.
      let latest = clamped(second(now) + Int128(skew))
      let earliest = clamped(second(date) + Int128(skew))
      let expected: SigV4Error.Code? =
        second(date) > latest
        ? .requestFromFuture : earliest < second(now) ? .requestExpired : nil
      #expect(code == expected, "date \(date), now \(now), skew \(skew), distance \(distance)")
    }
  }

  @Test(arguments: [UInt64](1...4)) func presigned(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let credentials = try Material.credentials()
    let signer = try Material.signer()
    for _ in 0..<TestScale.count(300) {
      let date = Timestamp(seconds: number(&random))
      let expires = Int64.random(in: 1...604_800, using: &random)
      let now =
        Bool.random(using: &random) ? date.advanced(bySeconds: expires) : Timestamp(seconds: number(&random))
      var policy = Material.policy()
      let (skew, longest) = (number(&random), number(&random))
      policy.skew = .seconds(skew)
      policy.longestExpiry = .seconds(longest)
      let verifier = try RequestVerifier(policy: policy, replays: ReplayCache(includesPresigned: true))
      let head = try signer.presign(
        Material.head(), expiresIn: .seconds(expires), with: credentials, at: date
      ).head
      let code = Material.code {
        _ = try verifier.verify(verifier.parse(head, at: now), key: .credentials(credentials), body: [])
      }
      let expected: SigV4Error.Code? =
        expires > longest
        ? .lifetime
        : second(date) > clamped(second(now) + Int128(skew))
          ? .requestFromFuture
          : second(now) > clamped(second(date) + Int128(expires)) ? .presignedExpired : nil
      #expect(code == expected, "date \(date), now \(now), skew \(skew), expires \(expires)")
      _ = try? PresignedLint(head, credentialsExpiration: Timestamp(seconds: number(&random)), at: now)
    }
  }

  @Test(arguments: [UInt64](1...2)) func policiesAndEvents(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let credentials = try Material.credentials()
    let signer = try Material.signer("s3")
    for _ in 0..<TestScale.count(300) {
      let date = Timestamp(seconds: number(&random))
      let end = Timestamp(seconds: number(&random))
      let code = Material.code {
        _ = try signer.sign(PostPolicy(expiration: end, conditions: []), with: credentials, at: date)
      }
      #expect(code == ((1...604_800).contains(second(end) - second(date)) ? nil : .lifetime))
      let signed = try signer.sign(Material.head(), body: .events, with: credentials, at: date)
      var events = try signed.eventSigner()
      let message = try events.sign(payload: [1], at: date)
      var verifierPolicy = Material.policy("s3")
      verifierPolicy.skew = .seconds(number(&random))
      let verifier = try RequestVerifier(policy: verifierPolicy)
      guard let pending = try? verifier.parse(signed.head, at: date) else { continue }
      var reader = try verifier.verifyEvents(pending, key: .credentials(credentials))
      var bytes = message[...]
      let next = try EventMessage.next(in: &bytes)
      _ = try? reader.verify(#require(next), at: Timestamp(seconds: number(&random)))
    }
  }
}
