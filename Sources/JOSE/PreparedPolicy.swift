internal import Encodings

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
  let ignoresKeySources: Bool

  private let algorithms: UInt32
  private let checksType: Bool

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
    ignoresKeySources = policy.signature.keySources != .refused
    algorithms = policy.signature.algorithms.reduce(0) { $0 | Self.bit($1) }
    checksType = policy.signature.type.reason == nil
  }

  private static func bit(_ algorithm: Algorithm) -> UInt32 {
    switch algorithm {
    case .hs256: 1 << 0
    case .hs384: 1 << 1
    case .hs512: 1 << 2
    case .rs256: 1 << 3
    case .rs384: 1 << 4
    case .rs512: 1 << 5
    case .ps256: 1 << 6
    case .ps384: 1 << 7
    case .ps512: 1 << 8
    case .es256: 1 << 9
    case .es384: 1 << 10
    case .es512: 1 << 11
    case .es256k: 1 << 12
    case .edDSA: 1 << 13
    case .ed25519: 1 << 14
    case .ed448: 1 << 15
    }
  }

  /// Judges `alg` and gives it back.
  func judgeAlgorithm(_ header: borrowing JOSEHeader) throws(JOSEError) -> Algorithm {
    if let algorithm = header.algorithm, algorithms & Self.bit(algorithm) != 0 { return algorithm }
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
