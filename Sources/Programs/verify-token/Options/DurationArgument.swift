internal import ArgumentParser
internal import JOSE
internal import TokenLifetime

/// A duration in an option: `90s`, `15m`, `24h`, `7d`, or a number of seconds.
struct DurationArgument: TextArgument {
  /// Whole seconds.
  let seconds: Int64

  init(seconds: Int64) { self.seconds = seconds }

  init?(argument: String) {
    let (digits, unit) = DurationText.split(argument)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int64(digits)
    else { return nil }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    self.seconds = seconds
  }

  var defaultValueDescription: String { "\(seconds)s" }

  static let form = "expected a number with s, m, h or d"
}

/// A limit for the lifetime: a duration, or a kind of token whose limit applies.
struct LifetimeArgument: TextArgument {
  static let form = "expected a duration or a kind of token"

  let limit: Limit

  init?(argument: String) {
    if let rule = LifetimeRule.named(argument) {
      limit = .rule(rule)
    } else if let duration = DurationArgument(argument: argument) {
      limit = .seconds(duration.seconds)
    } else {
      return nil
    }
  }
}

/// Splits durations into number and unit.
enum DurationText {
  /// The number, and the unit in seconds (1 without a unit).
  static func split(_ text: String) -> (number: Substring, unit: Int64) {
    switch text.last {
    case "s": (text.dropLast(), 1)
    case "m": (text.dropLast(), 60)
    case "h": (text.dropLast(), 3_600)
    case "d": (text.dropLast(), 86_400)
    default: (text[...], 1)
    }
  }
}
