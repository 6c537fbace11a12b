internal import Glibc

/// A clock that only goes forward, also while the machine sleeps: what the life of keys is measured by. Whoever
/// sets the clock on the wall back does not make keys live longer.
enum ForwardClock {
  /// Seconds since some moment in the past.
  static var seconds: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}
