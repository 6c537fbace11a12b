internal import TokenSecurityPlatform

extension Descriptor {
  /// True if a read returns at once: with bytes, the end of the input, or an error.
  static func isReadable(_ descriptor: Int32) -> Bool { wait([descriptor], milliseconds: 0) }

  /// Waits until one of the descriptors can be read, or for this time; without limit for -1.
  ///
  /// - Returns: true if one can be read, or if `poll` fails: the read then reports the error.
  @discardableResult
  static func wait(_ descriptors: [Int32], milliseconds: Int32) -> Bool {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return unsafe entries.withUnsafeMutableBufferPointer { buffer in
      while true {
        let count = unsafe poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
        if count >= 0 { return count > 0 }
        if errno != EINTR { return true }
      }
    }
  }
}

/// A pipe by which threads wake the one that reads.
struct WakeUp: Sendable {
  let descriptor: Int32
  private let end: Int32

  /// - Throws: `UsageError` if the process has too many open files.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw UsageError(system: "a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe, which nothing has read for long, is readable as it is.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, end) = (ends[0], ends[1])
  }

  /// Makes ``descriptor`` readable.
  func signal() {
    let byte: [UInt8] = [0]
    _ = Descriptor.writeAll(byte.span, to: end)
  }

  /// Takes the signals.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    _ = unsafe bytes.withUnsafeMutableBytes { unsafe Descriptor.read(descriptor, into: $0) }
  }
}
