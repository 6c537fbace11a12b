internal import TokenSecurityPlatform

/// Reads lines in chunks of bounded size.
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
  private var isAtEnd = false
  private var dropped = 0

  /// Reads lines of at most `limit` bytes from `descriptor`.
  init(_ descriptor: Int32 = STDIN_FILENO, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The next lines: at most `count`, and about 256 KiB in total. Empty at the end of the input.
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

  private mutating func nextLine() throws -> Line? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
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
        defer { start = buffer.count }
        return line(start..<buffer.count)
      }
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
