internal import TokenSecurityEncodings

/// How long a service is left alone after failures: not at all after the first, then one second, doubled by each further
/// failure up to a minute.
struct RetryPause {
  private var failures = 0
  private var end: Duration = .zero
  private var last: IdentityClientError?

  /// Throws the last failure while the pause lasts.
  func check(at now: Duration) throws(IdentityClientError) {
    if let last, now < end { throw last }
  }

  /// Counts a failure. What has nothing to do with the service, such as a full disk, does not count.
  mutating func note(_ fault: IdentityClientError, at now: Duration) {
    switch fault {
    case .configurationInvalid, .stateUnavailable: return
    default: break
    }
    failures = min(failures + 1, 32)
    guard failures > 1 else { return }
    last = fault
    end = now + .seconds(failures > 7 ? 60 : 1 << (failures - 2))
  }
}
