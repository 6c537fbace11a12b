internal import TokenLifetime
internal import TokenSecurityEncodings

/// A policy made ready to judge: its rules in order, its texts laid out for comparison.
///
/// What each token passes through reads plain values here. A policy's own strings and sets would be
/// counted for each token, and two cores would contend for the counts.
final class PreparedPolicy: Sendable {
  let policy: TokenPolicy
  let limits: TokenLimits
  let rules: [ClaimRule]
  let issuers: TextTable
  let audiences: TextTable
  let subjects: TextTable
  let requiredNames: TextTable
  /// The names of the policy's `claims`.
  let claimNames: TextTable
  private let texts: TextTable
  private let textEnds: [Int]
  /// How many seconds the issuer's clock may be ahead: for `nbf`, `iat` and `auth_time`.
  let startLeeway: Int64
  /// How many seconds longer a token and ages are accepted.
  let endLeeway: Int64
  /// The longest that a token may live, in seconds.
  let longestLife: Int64
  /// The longest ago that a token may have been issued, in seconds; nil without a limit.
  let longestAge: Int64?
  /// The longest ago that the user may have signed in, in seconds; nil without a limit.
  let longestAuthenticationAge: Int64?
  let candidateLimit: Int
  /// What the policy's `checks` do.
  let checks: [@Sendable (TokenClaims, JOSEHeader, NumericDate) -> JOSEError?]

  private let algorithms: AlgorithmBits
  private let checksType: Bool
  private let acceptsPadding: Bool

  init(_ policy: TokenPolicy) throws(JOSEError) {
    try policy.validate()
    self.policy = policy
    limits = policy.signature.limits
    rules = ClaimRule.all(of: policy)
    issuers = TextTable(policy.issuer.values ?? [])
    audiences = TextTable(policy.audience.values ?? [])
    subjects = TextTable(policy.subject.values ?? [])
    requiredNames = TextTable(policy.requiredClaims)
    claimNames = TextTable(policy.claims.map(\.name))
    let accepted = policy.claims.map { ($0.expectation.values ?? []).compactMap(\.string) }
    texts = TextTable(accepted.flatMap { $0 })
    textEnds = accepted.indices.map { index in accepted[...index].reduce(0) { $0 + $1.count } }
    candidateLimit = policy.signature.candidateLimit
    checks = policy.checks.map(\.judge)
    startLeeway = policy.startLeeway
    endLeeway = policy.endLeeway
    longestLife = policy.maximumLifetime.longest ?? .max
    longestAge = policy.maximumAge.longest
    longestAuthenticationAge = policy.maximumAuthenticationAge.longest
    algorithms = AlgorithmBits(policy.signature.algorithms)
    checksType = policy.signature.type.reason == nil
    acceptsPadding = policy.signature.acceptsPadding
  }

  /// Takes a compact token apart, as the policy lets it be written.
  func parse(_ compact: String) throws(JOSEError) -> UnverifiedToken {
    try UnverifiedToken(compact, limits: limits, acceptsPadding: acceptsPadding)
  }

  /// Judges `alg` and gives it back.
  func judgeAlgorithm(_ header: borrowing JOSEHeader) throws(JOSEError) -> Algorithm {
    if let algorithm = header.algorithm, algorithms.contains(algorithm) { return algorithm }
    return try header.judgeAlgorithm(policy.signature)
  }

  /// Judges `typ`, where the policy asks for one.
  func judgeType(_ header: borrowing JOSEHeader) throws(JOSEError) {
    if checksType { try header.judgeType(policy.signature) }
  }

  /// True where the string at `place` is one of the texts that the policy's claim at `index` accepts.
  func accepts(_ index: Int, _ document: JSONDocument, at place: Int) -> Bool {
    for text in (index == 0 ? 0 : textEnds[index - 1])..<textEnds[index]
    where texts.matches(text, document, at: place) {
      return true
    }
    return false
  }

  /// Judges all rules in their order.
  func judge(_ judgement: inout ClaimJudgement) throws(JOSEError) {
    for index in rules.indices { try judgement.judge(rules[index], self) }
  }
}
