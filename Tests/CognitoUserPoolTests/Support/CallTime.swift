internal import TokenLifetime
internal import TokenSecurityTesting

extension SettableClock {
  /// The time of a test's calls.
  var time: Timestamp { Timestamp(seconds: 1_800_000_000) + elapsed }
}
