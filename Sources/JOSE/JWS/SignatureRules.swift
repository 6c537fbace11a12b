public import TokenSecurityEncodings

/// What a verifier demands of header and signature, whatever is signed.
public struct SignatureRules: Sendable, Hashable {
  /// The algorithms that may be used. A key decides first: these only take away from what it allows.
  public var algorithms: Set<Algorithm>
  /// `typ`, in the protected header: one in the unprotected header, where anyone can add it, never fits.
  public var type: Expectation<String>
  /// Names in `crit` that the caller acts on itself (RFC 7515 section 4.1.11).
  public var understoodCritical: Set<ExactString>
  /// What happens to headers that bring a key or its address along.
  public var keySources: KeySources
  /// Sizes and depths.
  public var limits: TokenLimits
  /// The most keys whose signature is tried for one token, where `kid` does not single one out.
  public var candidateLimit: Int
  /// Whether a compact token's parts may be padded, as those of AWS's load balancers are.
  package var acceptsPadding = false

  /// `jwk`, `jku`, `x5u` and `x5c` in a header. Neither way do they ever bring in a key.
  public enum KeySources: Sendable, Hashable {
    /// The token is refused.
    case refused
    /// They are passed over, as if they were not there.
    case ignored(because: String)
    /// Those that are named are passed over; a token with another is refused. Some servers put the address of their keys
    /// into each header (`jku`); it is never followed.
    case ignoring(Set<KeySource>, because: String)
  }

  /// A header parameter that brings a key or its address along (RFC 7515 sections 4.1.2 to 4.1.6).
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

  /// True where a header may have the parameter called `name`.
  func ignoresKeySource(_ name: String) -> Bool {
    switch keySources {
    case .refused: false
    case .ignored: true
    case .ignoring(let names, _): KeySource(name: name).map(names.contains) ?? false
    }
  }

  /// Rules with their defaults: every algorithm that the keys themselves allow, any `typ`, no
  /// extensions, no keys in headers.
  public init(
    algorithms: Set<Algorithm> = Set(Algorithm.allCases),
    type: Expectation<String> = .unchecked(because: "any type"),
    understoodCritical: Set<ExactString> = [], keySources: KeySources = .refused,
    limits: TokenLimits = TokenLimits(), candidateLimit: Int = 8
  ) {
    self.algorithms = algorithms
    self.type = type
    self.understoodCritical = understoodCritical
    self.keySources = keySources
    self.limits = limits
    self.candidateLimit = candidateLimit
  }
}
