internal import Testing
internal import TokenLifetime

@Suite struct LifetimeRuleTests {
  /// The numbers as the services' documentation has them.
  @Test(
    arguments: [
      ("developer-token", 1, 86_400, 900), ("access-token", 300, 86_400, 3_600),
      ("id-token", 300, 86_400, 3_600), ("refresh-token", 3_600, 315_360_000, 2_592_000),
      ("web-identity-session", 900, 43_200, 3_600), ("presigned-url", 1, 604_800, nil),
    ] as [(String, Int64, Int64, Int64?)])
  func numbers(name: String, shortest: Int64, longest: Int64, standard: Int64?) throws {
    let rule = try #require(LifetimeRule.named(name))
    #expect(rule.shortest == shortest)
    #expect(rule.longest == longest)
    #expect(rule.standard == standard)
    #expect(!rule.source.isEmpty)
  }

  @Test func namesAreDistinct() {
    #expect(Set(LifetimeRule.all.map(\.name)).count == LifetimeRule.all.count)
    #expect(LifetimeRule.named("for-ever") == nil)
  }

  @Test(arguments: LifetimeRule.all)
  func edges(rule: LifetimeRule) throws {
    #expect(try rule.judge(requested: rule.shortest) == rule.shortest)
    #expect(try rule.judge(requested: rule.longest) == rule.longest)
    #expect(throws: LifetimeError.tooLong(rule: rule.name, seconds: rule.longest + 1, longest: rule.longest))
    {
      try rule.judge(requested: rule.longest + 1)
    }
    #expect(throws: LifetimeError.tooLong(rule: rule.name, seconds: .max, longest: rule.longest)) {
      try rule.judge(requested: .max)
    }
    #expect(throws: LifetimeError.zero) { try rule.judge(requested: 0) }
    #expect(throws: LifetimeError.negative) { try rule.judge(requested: -1) }
    #expect(throws: LifetimeError.negative) { try rule.judge(requested: .min) }
    if rule.shortest > 1 {
      #expect(
        throws: LifetimeError.tooShort(rule: rule.name, seconds: rule.shortest - 1, shortest: rule.shortest)
      ) {
        try rule.judge(requested: rule.shortest - 1)
      }
    }
    if let standard = rule.standard {
      #expect(try rule.judge(requested: nil) == standard)
      #expect(try rule.judge(requested: standard) == standard)
    } else {
      #expect(throws: LifetimeError.missing(rule: rule.name)) { try rule.judge(requested: nil) }
    }
  }

  /// Whatever number is asked for, it is granted as it is exactly where it lies between the bounds.
  @Test(arguments: LifetimeRule.all)
  func grantsExactlyWhatLiesBetweenTheBounds(rule: LifetimeRule) {
    var generator = SystemRandomNumberGenerator()
    let near = [rule.shortest, rule.longest, 0].flatMap { edge in (-3...3).map { edge + $0 } }
    let far = (0..<2_000).map { _ in Int64.random(in: -rule.longest * 2...rule.longest * 2, using: &generator)
    }
    for seconds in near + far + [.min, .max] {
      let granted = try? rule.judge(requested: seconds)
      #expect(granted == ((rule.shortest...rule.longest).contains(seconds) ? seconds : nil))
    }
  }

  @Test(arguments: [
    (0.5, LifetimeError.fractional), (1.000001, .fractional), (-0.5, .negative), (-1, .negative), (0, .zero),
    (-0.0, .zero), (.nan, .overflowing), (.infinity, .overflowing), (-.infinity, .overflowing),
    (1e19, .overflowing),
    (1e300, .overflowing), (86_400.5, .fractional),
    (86_401, .tooLong(rule: "developer-token", seconds: 86_401, longest: 86_400)),
  ])
  func numbersThatAreRefused(seconds: Double, error: LifetimeError) {
    #expect(throws: error) { try LifetimeRule.developerToken.judge(requestedNumber: seconds) }
  }

  @Test func numbersThatAreGranted() throws {
    #expect(try LifetimeRule.developerToken.judge(requestedNumber: 1) == 1)
    #expect(try LifetimeRule.developerToken.judge(requestedNumber: 86_400) == 86_400)
  }

  @Test(arguments: LifetimeRule.all)
  func tokens(rule: LifetimeRule) {
    let start: Int64 = 1_767_225_600
    for life in [0, 1, rule.shortest, rule.longest] {
      #expect(throws: Never.self) { try rule.judge(issuedAt: start, expiration: start + life) }
    }
    #expect(throws: LifetimeError.tooLong(rule: rule.name, seconds: rule.longest + 1, longest: rule.longest))
    {
      try rule.judge(issuedAt: start, expiration: start + rule.longest + 1)
    }
    #expect(throws: LifetimeError.negative) { try rule.judge(issuedAt: start, expiration: start - 1) }
    #expect(throws: LifetimeError.overflowing) { try rule.judge(issuedAt: .min, expiration: .max) }
  }

  @Test func sentences() {
    #expect(
      "\(LifetimeError.tooLong(rule: "developer-token", seconds: 86_401, longest: 86_400))"
        == "a duration of 86401 s is longer than the 86400 s that developer-token allows")
    #expect(LifetimeError.fractional.code.rawValue == "duration_fractional")
  }
}
