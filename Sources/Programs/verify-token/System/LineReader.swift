internal import TokenSecurityPlatform

/// Reads lines in chunks of bounded size. It waits only in ``waitForInput(or:)``.
struct LineReader {
  enum Line: Sendable {
    case text(String)
    /// A line above the limit, with its size in bytes.
    case tooLong(Int)
  }

  private let limit: Int
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  /// The bytes from `start` to here have no line break.
  private var searched = 0
  /// True after the last byte was read.
  private(set) var isAtEnd = false
  private var dropped = 0

  /// Reads lines of at most `limit` bytes from `descriptor`.
  init(_ descriptor: Int32 = STDIN_FILENO, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The lines that can be read without waiting: at most `count`, and about 256 KiB in total.
  mutating func next(_ count: Int) throws -> [Line] {
    var lines: [Line] = []
    var size = 0
    while lines.count < count, size < 1 << 18 {
      guard let line = try nextLine() else { break }
      if case .text(let text) = line { size += text.utf8.count }
      lines.append(line)
    }
    return lines
  }

  /// Waits until there is input or its end, or until `other` can be read.
  func waitForInput(or other: Int32) { Descriptor.wait([descriptor, other], milliseconds: -1) }

  private mutating func nextLine() throws -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { (start, searched) = (end + 1, end + 1) }
        return line(start..<end)
      }
      searched = buffer.count
      if buffer.count - start > limit {
        dropped += buffer.count - start
        buffer.removeAll(keepingCapacity: true)
        (start, searched) = (0, 0)
      }
      guard !isAtEnd else {
        guard start < buffer.count || dropped > 0 else { return nil }
        defer { (start, searched) = (buffer.count, buffer.count) }
        return line(start..<buffer.count)
      }
      guard Descriptor.isReadable(descriptor) else { return nil }
      if start > 0 {
        buffer.removeFirst(start)
        searched -= start
        start = 0
      }
      try fill()
    }
  }

  private mutating func line(_ range: Range<Int>) -> Line {
    let size = range.count + dropped
    guard dropped == 0, size <= limit else {
      dropped = 0
      return .tooLong(size)
    }
    return .text(TokenInput.strip(buffer[range]))
  }

  private mutating func fill() throws {
    let chunk = 1 << 16
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: chunk))
    let count = unsafe buffer.withUnsafeMutableBytes { raw in
      unsafe Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: raw[old...]))
    }
    guard let count else { throw UsageError(system: "standard input") }
    buffer.removeLast(chunk - count)
    isAtEnd = count == 0
  }
}
