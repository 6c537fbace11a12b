// The only file that imports the C library. Modules that call it import this module.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

/// The system's clocks.
package enum SystemClock {
  /// Seconds and nanoseconds since 1970, by a clock that can be set.
  package static var realTime: (seconds: Int64, nanoseconds: Int32) {
    let time = reading(of: CLOCK_REALTIME)
    return (Int64(time.tv_sec), Int32(time.tv_nsec))
  }

  /// The CPU time of this process in seconds.
  package static var processSeconds: Double {
    let time = reading(of: CLOCK_PROCESS_CPUTIME_ID)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds since an arbitrary time, by a clock that never goes back and runs while the machine sleeps.
  package static var bootSeconds: Int64 {
    #if canImport(Darwin)
      // Apple's monotonic clock counts sleep, its CLOCK_UPTIME_RAW does not.
      let clock = CLOCK_MONOTONIC
    #else
      let clock = CLOCK_BOOTTIME
    #endif
    return Int64(reading(of: clock).tv_sec)
  }

  /// Milliseconds since an arbitrary time, by a clock that never goes back.
  package static var uptimeMilliseconds: Int64 {
    let time = reading(of: CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func reading(of clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
  }
}

/// The current thread.
package enum CurrentThread {
  /// A number that is unique among running threads.
  package static var number: UInt64 {
    #if canImport(Glibc)
      UInt64(pthread_self())
    #else
      unsafe UInt64(UInt(bitPattern: pthread_self()))
    #endif
  }

  /// Lets other threads run.
  package static func yield() { sched_yield() }
}

/// The environment of the process.
package enum ProcessEnvironment {
  /// A variable's value; nil if it is not set.
  package static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Calls `body` with the bytes of a variable without copying them; nil if it is not set.
  package static func withBytes<Result: ~Copyable>(
    of name: String, _ body: (borrowing Span<UInt8>) -> Result
  ) -> Result? {
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
    return unsafe body(bytes.bindMemory(to: UInt8.self).span)
  }
}

/// The last error of a system call.
package enum SystemError {
  /// The system's text for it.
  package static var text: String { text(of: errno) }

  /// The text of an error number.
  package static func text(of number: Int32) -> String { unsafe String(cString: strerror(number)) }
}

/// Reading and writing open files.
package enum Descriptor {
  #if canImport(Darwin)
    /// Opens a file that may not be readable, to look where it is.
    package static let pathOnly: Int32 = O_RDONLY
  #else
    /// Opens a file that may not be readable, to look where it is: O_PATH of Linux, which its headers show to GNU programs
    /// alone.
    package static let pathOnly: Int32 = 0o10000000
  #endif

  /// The width of a terminal in characters; nil if it is unknown.
  package static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Reads once, and again if a signal interrupts it.
  ///
  /// - Returns: the number of bytes, 0 at the end; nil for an error.
  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Reads until `span` is full or the input ends.
  ///
  /// - Returns: the number of bytes; nil for an error.
  package static func fill(_ span: inout MutableSpan<UInt8>, from descriptor: Int32) -> Int? {
    unsafe span.withUnsafeMutableBytes { buffer in
      var count = 0
      while count < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        guard let got = unsafe read(descriptor, into: rest) else { return nil }
        guard got > 0 else { break }
        count += got
      }
      return count
    }
  }

  /// Reads to the end of the input.
  ///
  /// - Parameters:
  ///   - descriptor: the open file.
  ///   - limit: the most bytes. Where there are more, some of them are returned, too.
  /// - Returns: the bytes; nil for an error.
  package static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = unsafe part.withUnsafeMutableBytes { unsafe read(descriptor, into: $0) }
      guard let count else { return nil }
      if count == 0 { break }
      bytes += part[..<count]
    }
    return bytes
  }

  /// Writes all of `bytes`; false for an error.
  package static func writeAll(_ bytes: borrowing Span<UInt8>, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = unsafe systemWrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }
}

// Inside `Descriptor`, `read` and `write` are its own functions.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
