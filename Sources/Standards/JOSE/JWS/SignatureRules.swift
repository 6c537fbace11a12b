public import TokenSecurityBase

/// Rules for header and signature, independent of the payload.
public struct SignatureRules: Sendable, Hashable {
  /// The accepted algorithms. They can only reduce those that a key allows.
  public var algorithms: Set<Algorithm>
  /// `typ` of the protected header. One in the unprotected header, where anyone can add it, never matches.
  public var type: Expectation<String>
  /// Names in `crit` that the caller processes (RFC 7515 section 4.1.11).
  public var understoodCritical: Set<ExactString>
  /// Whether headers may contain or name a key.
  public var keySources: KeySources
  /// Maximum sizes.
  public var limits: TokenLimits
  /// The maximum number of keys that are tried for one token if several fit.
  public var candidateLimit: Int
  /// Whether parts of a compact token may be padded, as those of AWS load balancers are.
  package var acceptsPadding = false

  /// Handling of `jwk`, `jku`, `x5u` and `x5c` in a header. Their keys are never used.
  public enum KeySources: Sendable, Hashable {
    /// The token is refused.
    case refused
    /// They are ignored.
    case ignored(because: String)
    /// Those in the set are ignored; a token with another is refused. Some servers put the address of their
    /// keys (`jku`) into each header.
    case ignoring(Set<KeySource>, because: String)
  }

  /// A header parameter with a key or the address of one (RFC 7515 sections 4.1.2 to 4.1.6).
  public enum KeySource: ExactString, Sendable, Hashable, CaseIterable {
    /// The address of a JWK set.
    case jku
    /// A public key.
    case jwk
    /// The address of a certificate.
    case x5u
    /// A certificate and its chain.
    case x5c
  }

  /// True if the rules ignore the parameter called `name`.
  func ignoresKeySource(_ name: String) -> Bool {
    switch keySources {
    case .refused: false
    case .ignored: true
    case .ignoring(let names, _): KeySource(name: name).map(names.contains) ?? false
    }
  }

  /// Rules, by default: every algorithm that the keys allow, any `typ`, no extensions, no keys in headers.
  ///
  /// - Parameters:
  ///   - algorithms: the accepted algorithms.
  ///   - type: the expected `typ`.
  ///   - understoodCritical: names in `crit` that the caller processes.
  ///   - keySources: whether headers may contain or name a key.
  ///   - limits: maximum sizes.
  ///   - candidateLimit: the maximum number of keys that are tried for one token.
  public init(
    algorithms: Set<Algorithm> = Set(Algorithm.allCases),
    type: Expectation<String> = .unchecked(because: "any type"),
    understoodCritical: Set<ExactString> = [], keySources: KeySources = .refused,
    limits: TokenLimits = TokenLimits(), candidateLimit: Int = JWKSet.candidateLimit
  ) {
    self.algorithms = algorithms
    self.type = type
    self.understoodCritical = understoodCritical
    self.keySources = keySources
    self.limits = limits
    self.candidateLimit = candidateLimit
  }
}
