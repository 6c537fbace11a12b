internal import ArgumentParser
internal import TokenLifetime

/// A duration as it is written in options: `90s`, `15m`, `24h`, `7d`, or seconds alone.
struct DurationArgument: ExpressibleByArgument {
  /// Whole seconds.
  let seconds: Int64

  init?(argument: String) {
    var digits = Substring(argument)
    var unit: Int64 = 1
    switch digits.last {
    case "s": digits.removeLast()
    case "m":
      unit = 60
      digits.removeLast()
    case "h":
      unit = 3_600
      digits.removeLast()
    case "d":
      unit = 86_400
      digits.removeLast()
    default: break
    }
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
  /// Whole seconds.
  let seconds: Int64

  init?(argument: String) {
    if let rule = LifetimeRule.named(argument) {
      seconds = rule.longest
    } else if let duration = DurationArgument(argument: argument) {
      seconds = duration.seconds
    } else {
      return nil
    }
  }
}
