internal import ArgumentParser
internal import JOSE
internal import TokenLifetime

/// A duration as it is written in options: `90s`, `15m`, `24h`, `7d`, or seconds alone.
struct DurationArgument: ExpressibleByArgument {
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
}

/// A longest life as it is written in options: a duration, or the name of a kind of token whose own limit
/// is meant.
struct LifetimeArgument: ExpressibleByArgument {
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

/// What durations are written with.
enum DurationText {
  /// The number in front of a duration's unit, and the unit in seconds; 1 where there is none.
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
