internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase

/// The options that set expected claims and limits.
struct PolicyOptions: ParsableArguments {
  @Option(
    name: .customLong("issuer"),
    help: ArgumentHelp("An accepted issuer (iss), compared byte for byte. Repeatable.", valueName: "iss"))
  var issuer: [String] = []

  @Flag(name: .customLong("any-issuer"), help: "Accept any issuer.")
  var anyIssuer = false

  @Option(
    name: .customLong("audience"),
    help: ArgumentHelp(
      "An accepted audience (aud). One of the token's audiences must match. Repeatable.", valueName: "aud"))
  var audience: [String] = []

  @Flag(name: .customLong("any-audience"), help: "Accept any audience, and tokens without one.")
  var anyAudience = false

  @Option(
    name: .customLong("alg"),
    help: ArgumentHelp(
      "An allowed algorithm. Default: those that the key allows. Repeatable.", valueName: "alg"),
    completion: .list(Algorithm.allCases.map(\.name)))
  var alg: [String] = []

  @Option(
    name: .customLong("typ"),
    help: ArgumentHelp("An accepted typ of the header, for example at+jwt. Repeatable.", valueName: "typ"))
  var typ: [String] = []

  @Option(
    name: .customLong("subject"),
    help: ArgumentHelp("An accepted subject (sub). Repeatable.", valueName: "sub"))
  var subject: [String] = []

  @Flag(
    name: .customLong("allow-bound"),
    help: "Accept a token that is bound to a key of its sender (cnf), as a bearer token: no proof is checked."
  )
  var allowBound = false

  @Option(
    name: .customLong("actor"),
    help: ArgumentHelp(
      "An accepted actor (sub of act), who uses the token for its subject. Repeatable.", valueName: "sub"))
  var actor: [String] = []

  @Flag(name: .customLong("any-actor"), help: "Accept any actor.")
  var anyActor = false

  @Option(
    name: .customLong("acr"),
    help: ArgumentHelp("An accepted authentication context class (acr). Repeatable.", valueName: "acr"))
  var acr: [String] = []

  @Option(
    name: .customLong("require"),
    help: ArgumentHelp(
      "A required claim: NAME or NAME=VALUE. In an array, one element must have the value. Repeatable.",
      valueName: "claim"))
  var require: [String] = []

  @Option(
    name: .customLong("ignore-header"),
    help: ArgumentHelp(
      "Ignore this header parameter instead of refusing the token. It is never used. Repeatable. Values: jku, jwk, x5u, x5c.",
      valueName: "name"),
    completion: .list(IgnoredHeader.names), transform: IgnoredHeader.checked)
  var ignoreHeader: [String] = []

  @Option(
    name: .customLong("leeway"),
    help: ArgumentHelp(
      "Accepted clock difference for iat, nbf and exp: 0s to 5m. Default: 10s for iat and nbf, 0s for exp.",
      valueName: "duration"), transform: DurationArgument.checked)
  var leeway: String?

  @Option(
    name: .customLong("max-lifetime"),
    help: ArgumentHelp(
      "Longest accepted lifetime (exp - iat): a duration, or a kind of token such as developer-token for its limit.",
      valueName: "duration"), transform: LifetimeArgument.checked)
  var maxLifetime: String?

  @Flag(name: .customLong("any-lifetime"), help: "Accept any lifetime.")
  var anyLifetime = false

  @Flag(
    name: .customLong("allow-no-expiration"),
    help: "Accept tokens without exp, which never expire. Needs --any-lifetime.")
  var allowNoExpiration = false

  @Option(
    name: .customLong("max-age"),
    help: ArgumentHelp("Longest accepted time since the token was issued (iat).", valueName: "duration"),
    transform: DurationArgument.checked)
  var maxAge: String?

  @Option(
    name: .customLong("at"),
    help: ArgumentHelp(
      "Verify at this time: 2026-09-05T09:03:07Z, or seconds since 1970. Default: now.", valueName: "time"),
    transform: InstantArgument.checked)
  var atText: String?

  @Option(
    name: .customLong("max-size"),
    help: ArgumentHelp("Largest accepted token, in bytes. Default: 16384.", valueName: "bytes"),
    transform: Int.checked)
  var maxSize: String?

  /// The value of `--at`.
  var at: NumericDate? { InstantArgument(atText)?.date }

  /// The default of `--max-size`.
  private static let maxSize = 16_384

  enum IgnoredHeader: ExactString, NamedArgument {
    case jku
    case jwk
    case x5u
    case x5c

    static let names = allValueStrings
  }

  /// The profile's policy, or one from the issuer and audience options, with the other options applied.
  ///
  /// - Throws: `UsageError` for options that exclude each other or are missing.
  func policy(_ profile: Profile?) throws -> TokenPolicy {
    var policy = try profile.map(basePolicy) ?? basePolicy()
    if !alg.isEmpty { policy.signature.algorithms = Set(try alg.map(Self.algorithm)) }
    if !typ.isEmpty { policy.signature.type = .oneOf(typ) }
    let ignored = Set(ignoreHeader.compactMap { SignatureRules.KeySource(name: $0) })
    if !ignored.isEmpty { policy.signature.keySources = .ignoring(ignored, because: "--ignore-header") }
    if !subject.isEmpty { policy.subject = .oneOf(subject) }
    if allowBound { policy.binding = .unchecked(because: "--allow-bound") }
    guard actor.isEmpty || !anyActor else {
      throw UsageError("--actor and --any-actor exclude each other", code: UsageError.optionsWrong)
    }
    if !actor.isEmpty { policy.actors = .only(actor) }
    if anyActor { policy.actors = .unchecked(because: "--any-actor") }
    if !acr.isEmpty { policy.checks += TokenCheck.authenticationContext(.oneOf(acr)) }
    for claim in require { add(claim, to: &policy) }
    if let leeway = DurationArgument(leeway) { policy.leeway = .seconds(leeway.seconds) }
    if let maxLifetime = LifetimeArgument(maxLifetime) {
      guard !anyLifetime else {
        throw UsageError(
          "--max-lifetime and --any-lifetime exclude each other", code: UsageError.optionsWrong)
      }
      policy.maximumLifetime = maxLifetime.limit
    }
    if anyLifetime { policy.maximumLifetime = .unchecked(because: "--any-lifetime") }
    if allowNoExpiration { policy.expiration = .optional(because: "--allow-no-expiration") }
    if let maxAge = DurationArgument(maxAge) { policy.maximumAge = .seconds(maxAge.seconds) }
    policy.signature.limits = try TokenLimits(maxSize: Int(maxSize) ?? Self.maxSize)
    return policy
  }

  private func basePolicy(_ profile: Profile) throws -> TokenPolicy {
    let hasForeignIssuer = !issuer.isEmpty && !profile.usesOwnIssuer
    if !profile.usesIssuerOptions, hasForeignIssuer || anyIssuer || !audience.isEmpty || anyAudience {
      throw UsageError(
        "\(profile.option) sets issuer and audience: remove --issuer, --audience, --any-issuer, --any-audience",
        code: UsageError.optionsWrong
      )
    }
    if profile.usesIssuerOptions, anyIssuer || anyAudience {
      throw UsageError(
        "\(profile.option) needs --issuer and --audience: remove --any-issuer and --any-audience",
        code: UsageError.optionsWrong)
    }
    return profile.policy
  }

  private func basePolicy() throws -> TokenPolicy {
    if issuer.isEmpty, audience.isEmpty, !anyIssuer, !anyAudience {
      throw UsageError(
        "say which tokens to accept: --issuer and --audience (or --any-issuer, --any-audience), --user-pool, --identity-pool, --provider or --load-balancer; see 'verify-token help verify'",
        code: UsageError.optionsWrong
      )
    }
    return TokenPolicy(
      issuer: try expectation(issuer, anyIssuer, "issuer"),
      audience: try expectation(audience, anyAudience, "audience"))
  }

  private func expectation(_ values: [String], _ any: Bool, _ name: String) throws -> Expectation<String> {
    switch (values.isEmpty, any) {
    case (false, false): return .oneOf(values)
    case (true, true): return .unchecked(because: "--any-\(name)")
    case (false, true):
      throw UsageError("--\(name) and --any-\(name) exclude each other", code: UsageError.optionsWrong)
    case (true, false):
      throw UsageError(
        "--\(name) is missing: give it, or --any-\(name) to accept any", code: UsageError.optionsWrong)
    }
  }

  /// The algorithm of an `--alg`.
  static func algorithm(_ name: String) throws -> Algorithm {
    guard let algorithm = Algorithm(name: name) else {
      let known = Algorithm.allCases.map(\.name).joined(separator: ", ")
      throw UsageError("--alg \(name.quoted) is not one of \(known)", code: UsageError.optionsWrong)
    }
    return algorithm
  }

  /// A value is compared as text and, if it is JSON, also as JSON: `version=2` also matches the number 2.
  private func add(_ claim: String, to policy: inout TokenPolicy) {
    guard let equals = claim.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      policy.requiredClaims.append(claim)
      return
    }
    let text = String(decoding: claim.utf8[equals...].dropFirst(), as: UTF8.self)
    var values: [JSONValue] = [.string(text)]
    if let json = try? JSONValue(parsing: text) { values.append(json) }
    policy.claims.append(
      TokenPolicy.ClaimExpectation(String(decoding: claim.utf8[..<equals], as: UTF8.self), .oneOf(values)))
  }
}

extension TokenLimits {
  /// The limits for `--max-size`.
  init(maxSize: Int) throws {
    guard (1...(1 << 24)).contains(maxSize) else {
      throw UsageError(
        "--max-size must be 1 to \(1 << 24) bytes, not \(maxSize)", code: UsageError.optionsWrong)
    }
    self.init(token: maxSize)
  }
}
