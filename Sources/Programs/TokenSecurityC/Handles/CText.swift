internal import Synchronization

/// A text for C: UTF-8 and a zero byte.
@safe
final class CText: @unchecked Sendable {
  private let bytes: UnsafeMutableBufferPointer<CChar>

  /// The number of bytes without the zero byte.
  var count: UInt { unsafe UInt(bytes.count - 1) }
  var start: UnsafePointer<CChar>? { unsafe UnsafePointer(bytes.baseAddress) }

  init(_ text: some Collection<UInt8>) {
    let count = text.count
    unsafe bytes = UnsafeMutableBufferPointer.allocate(capacity: count + 1)
    unsafe UnsafeMutableRawBufferPointer(bytes).copyBytes(from: text.prefix(count))
    unsafe bytes[count] = 0
  }

  convenience init(_ text: String) { self.init(text.utf8) }

  deinit { unsafe bytes.deallocate() }
}

/// A text for C that is written when it is first asked for.
final class LazyText: Sendable {
  private let written = Mutex<CText?>(nil)
  private let write: @Sendable () -> [UInt8]

  init(_ write: @escaping @Sendable () -> [UInt8]) { self.write = write }

  var text: CText {
    written.withLock { written in
      if let written { return written }
      let made = CText(write())
      written = made
      return made
    }
  }
}

/// Writes a text's length where the caller wants it, and returns its start.
func give(_ text: CText, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<CChar>? {
  unsafe length?.pointee = text.count
  return unsafe text.start
}
