internal import ArgumentParser
internal import JOSE

/// A time in an option: RFC 3339, or seconds since 1970.
struct InstantArgument: TextArgument {
  static let form = "expected 2026-09-05T09:03:07Z, or seconds since 1970"

  let date: NumericDate

  init?(argument: String) {
    if let seconds = Int64(argument), NumericDate.range.contains(seconds) {
      date = NumericDate(seconds: seconds)
    } else if let date = NumericDate(rfc3339: argument) {
      self.date = date
    } else {
      return nil
    }
  }
}
