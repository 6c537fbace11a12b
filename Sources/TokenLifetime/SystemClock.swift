#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system's clocks.
package enum SystemClock {
  /// Seconds and nanoseconds since 1970.
  static var realTime: (seconds: Int64, nanoseconds: Int32) {
    let time = read(CLOCK_REALTIME)
    return (Int64(time.tv_sec), Int32(time.tv_nsec))
  }

  /// Seconds of a clock that cannot be set and that counts while the machine sleeps.
  package static var bootSeconds: Int64 {
    #if canImport(Darwin)
      Int64(read(CLOCK_MONOTONIC).tv_sec)
    #else
      Int64(read(CLOCK_BOOTTIME).tv_sec)
    #endif
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
  }
}
