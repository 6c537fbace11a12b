internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting

@Suite struct LifetimeRuleTests {
  /// The numbers of the services' documentation.
  @Test(
    arguments: [
      ("developer-token", 1, 86_400, 900), ("access-token", 300, 86_400, 3_600),
      ("id-token", 300, 86_400, 3_600), ("refresh-token", 3_600, 315_360_000, 2_592_000),
      ("web-identity-session", 900, 43_200, 3_600), ("access-key-session", 900, 86_400, 43_200),
      ("presigned-url", 1, 604_800, nil),
    ] as [(String, Int64, Int64, Int64?)])
  func numbers(name: String, shortest: Int64, longest: Int64, standard: Int64?) throws {
    let rule = try #require(LifetimeRule.named(name))
    #expect(rule.shortest == .seconds(shortest))
    #expect(rule.longest == .seconds(longest))
    #expect(rule.standard == standard.map { .seconds($0) })
    #expect(!rule.source.isEmpty)
  }

  @Test func namesAreDistinct() {
    #expect(Set(LifetimeRule.all.map(\.name)).count == LifetimeRule.all.count)
    #expect(LifetimeRule.named("for-ever") == nil)
  }

  @Test(arguments: LifetimeRule.all)
  func edges(rule: LifetimeRule) throws {
    #expect(try rule.validate(requested: rule.shortest) == rule.shortest)
    #expect(try rule.validate(requested: rule.longest) == rule.longest)
    let second = Duration.seconds(1)
    for requested in [rule.longest + second, .seconds(Int64.max), .seconds(1e20)] {
      #expect(
        throws: LifetimeError.tooLong(rule: rule.name, requested: requested, longest: rule.longest)
      ) {
        try rule.validate(requested: requested)
      }
    }
    #expect(throws: LifetimeError.zero) { try rule.validate(requested: .zero) }
    for requested in [.zero - second, .seconds(Int64.min), .seconds(-1e20)] as [Duration] {
      #expect(throws: LifetimeError.negative) { try rule.validate(requested: requested) }
    }
    if rule.shortest > second {
      #expect(
        throws: LifetimeError.tooShort(
          rule: rule.name, requested: rule.shortest - second, shortest: rule.shortest)
      ) {
        try rule.validate(requested: rule.shortest - second)
      }
    }
    if let standard = rule.standard {
      #expect(try rule.validate(requested: nil) == standard)
      #expect(try rule.validate(requested: standard) == standard)
    } else {
      #expect(throws: LifetimeError.missing(rule: rule.name)) { try rule.validate(requested: nil) }
    }
  }

  /// A requested number is granted unchanged if it is between the bounds, and refused otherwise.
  @Test(arguments: LifetimeRule.all)
  func grantsExactlyWhatLiesBetweenTheBounds(rule: LifetimeRule) {
    var generator = SystemRandomNumberGenerator()
    let range = rule.shortest.wholeSeconds...rule.longest.wholeSeconds
    let near = [range.lowerBound, range.upperBound, 0].flatMap { edge in (-3...3).map { edge + $0 } }
    let bound = range.upperBound * 2
    let far = (0..<TestScale.count(2_000)).map { _ in Int64.random(in: -bound...bound, using: &generator) }
    for seconds in near + far + [.min, .max] {
      let granted = try? rule.validate(requested: .seconds(seconds))
      #expect(granted == (range.contains(seconds) ? .seconds(seconds) : nil))
    }
  }

  @Test(
    arguments: [
      (.milliseconds(500), LifetimeError.fractional), (.microseconds(1_000_001), .fractional),
      (.milliseconds(-500), .negative), (.seconds(-1), .negative), (.zero, .zero),
      (.milliseconds(86_400_500), .fractional), (.nanoseconds(1), .fractional),
      (
        .seconds(86_401),
        .tooLong(rule: "developer-token", requested: .seconds(86_401), longest: .seconds(86_400))
      ),
    ] as [(Duration, LifetimeError)])
  func durationsThatAreRefused(duration: Duration, error: LifetimeError) {
    #expect(throws: error) { try LifetimeRule.developerToken.validate(requested: duration) }
  }

  @Test(arguments: LifetimeRule.all)
  func tokens(rule: LifetimeRule) {
    let start = Timestamp(seconds: 1_767_225_600)
    let tooLong = rule.longest + .seconds(1)
    for life in [.zero, .seconds(1), rule.shortest, rule.longest] {
      #expect(throws: Never.self) { try rule.validate(issuedAt: start, expiration: start + life) }
    }
    #expect(throws: LifetimeError.tooLong(rule: rule.name, requested: tooLong, longest: rule.longest)) {
      try rule.validate(issuedAt: start, expiration: start + tooLong)
    }
    #expect(throws: LifetimeError.negative) {
      try rule.validate(issuedAt: start, expiration: start - .seconds(1))
    }
    #expect(throws: LifetimeError.negative) { try rule.validate(issuedAt: .latest, expiration: .earliest) }
  }

  @Test func sentences() {
    #expect(
      "\(LifetimeError.tooLong(rule: "developer-token", requested: .seconds(86_401), longest: .seconds(86_400)))"
        == "86401 s is longer than the maximum of 86400 s for developer-token")
    #expect(LifetimeError.fractional.codeText == "duration_fractional")
  }
}
