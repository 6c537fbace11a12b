import Foundation
import Glibc

/// Whether times tell the names of users from those of nobody, over the engines and with the caches of production.
///
/// A threshold is learnt on half of the names, and classifies the others, each by the median of its calls and by the
/// mean without the slowest tenth. Neither may be right for more names than chance allows. What exceeds it is measured
/// again, with other names: of a hundred comparisons some exceed it by chance.
///
///     TIMING_SHARE=0.1 TIMING_ONLY=SQLite .build/release/token-benchmarks timing names
///
/// `TIMING_SHARE` is the share of 400 and 400 names for each half. `TIMING_ONLY` has parts of the first three columns,
/// separated by semicolons: a row is measured if each is in one of its columns. The exit status is 1 where names can be
/// told apart.
enum NameTiming {
  /// The names of each half and kind.
  private static let names: Int = {
    let share = ProcessInfo.processInfo.environment["TIMING_SHARE"].flatMap { Double($0) } ?? 1
    return max(8, Int((400 * share).rounded()))
  }()
  private static let only = (ProcessInfo.processInfo.environment["TIMING_ONLY"] ?? "").split(separator: ";")
  /// Maximum number of names that may be classified rightly: 55 of 100, and more where few names are measured.
  private static let bound = max(0.55, 0.5 + 2.8 * 0.5 / Double(2 * names).squareRoot())

  static func run() async throws -> Bool {
    print("\(names) and \(names) names learnt, as many classified; at most \(percent(bound)) may be right.\n")
    print("| engine | names | call | calls | warm | cold | unknown | by median | by mean | |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---|")
    let engines = ["SQLite", "PostgreSQL"]
    let server = isAsked("PostgreSQL") ? try TimedServer() : nil
    defer { server?.remove() }
    var areEqual = true
    for engine in engines {
      for kind in TimedNames.allCases where isAsked(engine, kind) {
        let pool = try await Measured(engine, kind, server, names)
        for call in TimedCall.allCases where isAsked(engine, kind, call) {
          var isEqual = try await report(engine, kind, call, pool)
          if !isEqual {
            let other = try await Measured(engine, kind, server, names)
            isEqual = try await report(engine, kind, call, other)
            try await other.close()
          }
          areEqual = areEqual && isEqual
        }
        try await pool.close()
      }
    }
    print(areEqual ? "\nNo names can be told apart." : "\nNames can be told apart.")
    return areEqual
  }

  private static func isAsked(_ engine: String) -> Bool {
    TimedNames.allCases.contains { isAsked(engine, $0) }
  }

  private static func isAsked(_ engine: String, _ kind: TimedNames) -> Bool {
    TimedCall.allCases.contains { isAsked(engine, kind, $0) }
  }

  private static func isAsked(_ engine: String, _ kind: TimedNames, _ call: TimedCall) -> Bool {
    only.allSatisfy { part in [engine, kind.rawValue, call.rawValue].contains { $0.contains(part) } }
  }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  private static func report(
    _ engine: String, _ kind: TimedNames, _ call: TimedCall, _ pool: Measured
  ) async throws -> Bool {
    let count = call.hasPower ? 10 : 40
    let seen = try await pool.measure(call, count)
    let shares = [median, trimmedMean].map { statistic in classified(seen, by: statistic) }
    let isEqual = shares.allSatisfy { $0 <= bound } && !seen.answersDiffer
    func middle(_ times: [[Double]]) -> String { String(format: "%.1f", median(times.map(median))) }
    print(
      "| \(engine) | \(kind.rawValue) | \(call.rawValue) | \(count) | \(middle(seen.warm)) | \(middle(seen.cold)) | "
        + "\(middle(seen.unknown)) | \(percent(shares[0])) | \(percent(shares[1])) | "
        + "\(seen.answersDiffer ? "the answers differ" : isEqual ? "" : "told apart") |")
    fflush(nil)
    return isEqual
  }

  // MARK: Statistics

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  private static func trimmedMean(_ values: [Double]) -> Double {
    let kept = values.sorted().prefix(max(1, values.count * 9 / 10))
    return kept.reduce(0, +) / Double(kept.count)
  }

  /// The share of the second half of the names that a threshold classifies rightly which is learnt on the first half.
  private static func classified(_ seen: SeenTimes, by statistic: ([Double]) -> Double) -> Double {
    // Each half has as many warm names as cold ones.
    let known = zip(seen.warm, seen.cold).flatMap { [statistic($0), statistic($1)] }
    let unknown = seen.unknown.map(statistic)
    let half = min(known.count, unknown.count) / 2
    let learnt = (known.prefix(half).map { ($0, true) } + unknown.prefix(half).map { ($0, false) })
      .sorted { $0.0 < $1.0 }
    // The best position for the threshold, and the side of the known names.
    var (best, threshold, isKnownBelow) = (-1, 0.0, true)
    var below = 0
    for (index, (value, isKnown)) in learnt.enumerated() {
      below += isKnown ? 1 : -1
      // Right with the known names below, beyond half of them all; and with the unknown ones below.
      if below > best { (best, threshold, isKnownBelow) = (below, value, true) }
      if -below > best, index + 1 < learnt.count { (best, threshold, isKnownBelow) = (-below, value, false) }
    }
    func isRight(_ value: Double, _ isKnown: Bool) -> Bool {
      ((value <= threshold) == isKnownBelow) == isKnown
    }
    let right =
      known.dropFirst(half).prefix(half).count { isRight($0, true) }
      + unknown.dropFirst(half).prefix(half).count { isRight($0, false) }
    return Double(right) / Double(2 * half)
  }
}

/// The times of each name's calls.
struct SeenTimes {
  var warm: [[Double]] = []
  var cold: [[Double]] = []
  var unknown: [[Double]] = []
  var answersDiffer = false
}
