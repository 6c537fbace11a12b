internal import TokenSecurityBase

/// Wrong answers of a second factor in a row. Time does not forget them (NIST SP 800-63B-4 section 3.2.2).
public struct FactorFailures: Sendable, Hashable {
  /// The factor: the name of its challenge, or `DEVICE` for the proof of a device.
  public let factor: String
  /// The wrong answers since the last right one.
  public let count: Int64

  /// Maximum number of wrong answers in a row. From then on the factor is closed: right answers are refused, too.
  package static let limit: Int64 = 100
  /// The counts that audit logs name. The last one closes the factor.
  private static let audited: [Int64] = [10, 25, 50, 75, limit]

  package init(_ factor: String, _ count: Int64) {
    self.factor = factor
    self.count = count
  }

  /// The name of devices, which are not a second factor by themselves, and replace one.
  package static let device = "DEVICE"

  /// True where an audit log names the count.
  public var isAudited: Bool { Self.audited.contains(count) }
  /// True where this wrong answer has closed the factor.
  public var closes: Bool { count == Self.limit }
}

extension User {
  /// True for a factor with too many wrong codes in a row.
  package func isClosed(_ factor: SecondFactor) -> Bool {
    factorFailures[factor, default: 0] >= FactorFailures.limit
  }

  /// Counts a wrong code.
  ///
  /// - Parameters:
  ///   - factor: the factor.
  ///   - earlier: the wrong codes that a row of an earlier version has, which counted none in the user's row.
  /// - Returns: the count.
  package mutating func countFailure(_ factor: SecondFactor, earlier: Int64 = 0) -> FactorFailures {
    let before = factorFailures.isEmpty ? max(0, earlier) : factorFailures[factor, default: 0]
    let count = min(before.saturatingSum(1), FactorFailures.limit)
    factorFailures[factor] = count
    return FactorFailures(factor.name, count)
  }

  /// Opens a factor again, and forgets its wrong codes, also those that an earlier version has counted.
  package mutating func open(_ factor: SecondFactor) { factorFailures[factor] = 0 }
}

extension UserDevice {
  /// True for a device with too many wrong proofs in a row.
  package var isClosed: Bool { failures >= FactorFailures.limit }

  /// Counts a wrong proof.
  package mutating func countFailure() -> FactorFailures {
    failures = min(failures.saturatingSum(1), FactorFailures.limit)
    return FactorFailures(FactorFailures.device, failures)
  }
}
