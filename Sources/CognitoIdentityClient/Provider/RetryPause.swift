internal import TokenSecurityEncodings

/// The pause after failed calls: none after the first failure, then one second, doubled by each further
/// failure up to a minute.
struct RetryPause {
  private var failures = 0
  private var end: Duration = .zero
  private var last: IdentityClientError?

  /// Throws the last failure during a pause.
  func check(at now: Duration) throws(IdentityClientError) {
    if let last, now < end { throw last }
  }

  /// Counts a failure of the service. Local failures, such as a full disk, do not count.
  mutating func note(_ error: IdentityClientError, at now: Duration) {
    switch error {
    case .configurationInvalid, .stateUnavailable: return
    default: break
    }
    failures = min(failures + 1, 32)
    guard failures > 1 else { return }
    last = error
    end = now + .seconds(failures > 7 ? 60 : 1 << (failures - 2))
  }
}
