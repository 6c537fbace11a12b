internal import ArgumentParser
internal import TokenSecurityEncodings
internal import JOSE

/// The options that say what is demanded of a token.
struct PolicyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("An issuer that is accepted (iss). May be given more than once.", valueName: "iss"))
  var issuer: [String] = []

  @Flag(help: "Accept any issuer.")
  var anyIssuer = false

  @Option(
    help: ArgumentHelp("An audience that is ours (aud). May be given more than once.", valueName: "aud"))
  var audience: [String] = []

  @Flag(help: "Accept any audience, and tokens without one.")
  var anyAudience = false

  @Option(
    help: ArgumentHelp(
      "An algorithm that may be used; without it, those that the key allows. May be given more than once.",
      valueName: "alg"),
    completion: .list(Algorithm.allCases.map(\.name)))
  var alg: [String] = []

  @Option(
    help: ArgumentHelp(
      "The header's typ, at+jwt for instance. May be given more than once.", valueName: "typ"))
  var typ: [String] = []

  @Option(
    help: ArgumentHelp("A subject that is accepted (sub). May be given more than once.", valueName: "sub"))
  var subject: [String] = []

  @Option(
    help: ArgumentHelp(
      "A claim that must be there, or claim=value, or claim=value for one of an array's elements. May be given more than once.",
      valueName: "claim"))
  var require: [String] = []

  @Option(
    help: ArgumentHelp(
      "A header parameter with a key or its address that is passed over: jku, jwk, x5u, x5c. It is never followed. May be given more than once.",
      valueName: "name"))
  var ignoreHeader: [IgnoredHeader] = []

  @Option(
    help: ArgumentHelp(
      "How much clocks may differ: 0s to 5m, for iat, nbf and exp. Without it 10s for iat and nbf, and exp is exact.",
      valueName: "duration"))
  var leeway: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The longest that a token may live (exp - iat): a duration, or the limit of a kind by its name, developer-token for instance.",
      valueName: "duration"))
  var maxLifetime: LifetimeArgument?

  @Flag(help: "Accept tokens however long they live.")
  var anyLifetime = false

  @Flag(help: "Accept tokens without exp, which never end. Needs --any-lifetime.")
  var allowNoExpiration = false

  @Option(
    help: ArgumentHelp("The longest ago that a token may have been issued (iat).", valueName: "duration"))
  var maxAge: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The instant to judge at, as 2026-09-05T09:03:07Z or in seconds since 1970; the present without it.",
      valueName: "time"))
  var at: InstantArgument?

  @Option(help: ArgumentHelp("The most bytes that a token may have.", valueName: "bytes"))
  var maxSize: Int = 16_384

  enum IgnoredHeader: ExactString, NamedArgument {
    case jku
    case jwk
    case x5u
    case x5c
  }

  /// The policy: the profile's where there is one, and what the options add to it.
  ///
  /// - Throws: `UsageProblem` where something that must be said was not.
  func policy(_ profile: Profile?) throws -> TokenPolicy {
    var policy: TokenPolicy
    if let profile {
      if !profile.usesIssuerOptions, !issuer.isEmpty || anyIssuer || !audience.isEmpty || anyAudience {
        throw UsageProblem(
          "\(profile.option) says which issuer and audience are expected; --issuer and --audience contradict it"
        )
      }
      if profile.usesIssuerOptions, anyIssuer || anyAudience {
        throw UsageProblem(
          "\(profile.option) needs to know issuer and audience: --any-issuer and --any-audience contradict it"
        )
      }
      policy = profile.policy
    } else {
      policy = TokenPolicy(
        issuer: try expectation(issuer, anyIssuer, "issuer"),
        audience: try expectation(audience, anyAudience, "audience"))
    }
    if !alg.isEmpty { policy.signature.algorithms = Set(try alg.map(algorithm)) }
    if !typ.isEmpty { policy.signature.type = .oneOf(typ) }
    let ignored = Set(ignoreHeader.compactMap { SignatureRules.KeySource(name: $0.name) })
    if !ignored.isEmpty { policy.signature.keySources = .ignoring(ignored, because: "--ignore-header") }
    if !subject.isEmpty { policy.subject = .oneOf(subject) }
    for demand in require { add(demand, to: &policy) }
    if let leeway { policy.leeway = .seconds(leeway.seconds) }
    if let maxLifetime {
      guard !anyLifetime else {
        throw UsageProblem("--max-lifetime and --any-lifetime contradict each other")
      }
      policy.maximumLifetime = maxLifetime.limit
    }
    if anyLifetime { policy.maximumLifetime = .unchecked(because: "--any-lifetime") }
    if allowNoExpiration { policy.expiration = .optional(because: "--allow-no-expiration") }
    if let maxAge { policy.maximumAge = .seconds(maxAge.seconds) }
    guard (1...(1 << 24)).contains(maxSize) else {
      throw UsageProblem("--max-size is 1 to \(1 << 24) bytes, and \(maxSize) was given")
    }
    policy.signature.limits = TokenLimits(token: maxSize)
    return policy
  }

  private func expectation(
    _ values: [String], _ any: Bool, _ name: String
  ) throws -> Expectation<String> {
    switch (values.isEmpty, any) {
    case (false, false): return .oneOf(values)
    case (true, true): return .unchecked(because: "--any-\(name)")
    case (false, true):
      throw UsageProblem("--\(name) and --any-\(name) contradict each other")
    case (true, false):
      throw UsageProblem(
        "--\(name) is missing: say which \(name) is expected, or --any-\(name) where you mean that")
    }
  }

  private func algorithm(_ name: String) throws -> Algorithm {
    guard let algorithm = Algorithm(name: name) else {
      throw UsageProblem(
        "--alg \(name.quoted): known are "
          + Algorithm.allCases.map(\.name).joined(separator: ", "))
    }
    return algorithm
  }

  // A value is text, and where it reads as JSON, that as well: version=2 means the number too.
  private func add(_ demand: String, to policy: inout TokenPolicy) {
    guard let equals = demand.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      policy.requiredClaims.append(demand)
      return
    }
    let text = String(decoding: demand.utf8[equals...].dropFirst(), as: UTF8.self)
    var values: [JSONValue] = [.string(text)]
    if let json = try? JSONValue(parsing: text) { values.append(json) }
    policy.claims.append(
      TokenPolicy.ClaimExpectation(String(decoding: demand.utf8[..<equals], as: UTF8.self), .oneOf(values)))
  }
}
