internal import TokenSecurityBase

/// A message of an event stream, `application/vnd.amazon.eventstream`: headers and a payload between two
/// checksums.
public struct EventMessage: Sendable, Hashable {
  /// The headers in their order.
  public var headers: [Header]
  /// The payload.
  public var payload: [UInt8]

  /// One header.
  public struct Header: Sendable, Hashable {
    /// The name, 1 to 255 bytes.
    public var name: String
    /// The value.
    public var value: Value

    /// Creates a header.
    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// A header's value.
  public enum Value: Sendable, Hashable {
    case bool(Bool)
    case byte(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case bytes([UInt8])
    case string(String)
    /// Milliseconds since 1970.
    case timestamp(Int64)
    /// Sixteen bytes.
    case uuid([UInt8])
  }

  /// Maximum size of a message in bytes.
  public static let largestMessage = 16 << 20
  static let largestHeaders = 131_072
  static let largestValue = 32_767

  /// Creates a message.
  public init(headers: [Header] = [], payload: [UInt8] = []) {
    self.headers = headers
    self.payload = payload
  }

  /// The first header of this name.
  public subscript(name: String) -> Value? { headers.first { $0.name == name }?.value }

  /// Encodes the message: two lengths, their CRC-32, headers, payload, the CRC-32 of all.
  ///
  /// - Returns: the bytes of the message.
  /// - Throws: `eventMalformed` when a part is too large.
  public func encoded() throws(SigV4Error) -> [UInt8] {
    let headerBytes = try Self.encode(headers)
    let total = 16 + headerBytes.count + payload.count
    guard total <= Self.largestMessage else { throw .eventMalformed("a message of \(total) bytes") }
    var output: [UInt8] = []
    output.reserveCapacity(total)
    output.append(bigEndian: UInt32(total))
    output.append(bigEndian: UInt32(headerBytes.count))
    output.append(bigEndian: UInt32(CyclicRedundancyCheck.of(output.span, .crc32)))
    output.append(copying: headerBytes.span)
    output.append(copying: payload.span)
    output.append(bigEndian: UInt32(CyclicRedundancyCheck.of(output.span, .crc32)))
    return output
  }

  static func encode(_ headers: [Header]) throws(SigV4Error) -> [UInt8] {
    var output: [UInt8] = []
    for header in headers {
      guard (1...255).contains(header.name.utf8.count) else { throw .eventMalformed("a header's name") }
      output.append(UInt8(header.name.utf8.count))
      output.append(header.name)
      try header.value.append(to: &output)
    }
    guard output.count <= largestHeaders else { throw .eventMalformed("headers of \(output.count) bytes") }
    return output
  }
}

extension EventMessage.Value {
  func append(to output: inout [UInt8]) throws(SigV4Error) {
    switch self {
    case .bool(let value): output.append(value ? 0 : 1)
    case .byte(let value):
      output.append(2)
      output.append(UInt8(bitPattern: value))
    case .int16(let value):
      output.append(3)
      output.append(bigEndian: value)
    case .int32(let value):
      output.append(4)
      output.append(bigEndian: value)
    case .int64(let value):
      output.append(5)
      output.append(bigEndian: value)
    case .bytes(let bytes):
      output.append(6)
      try Self.append(bytes.span, to: &output)
    case .string(let text):
      output.append(7)
      try Self.append(text.utf8.span, to: &output)
    case .timestamp(let milliseconds):
      output.append(8)
      output.append(bigEndian: milliseconds)
    case .uuid(let bytes):
      guard bytes.count == 16 else { throw .eventMalformed("a UUID of \(bytes.count) bytes") }
      output.append(9)
      output.append(copying: bytes.span)
    }
  }

  private static func append(_ bytes: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    guard bytes.count <= EventMessage.largestValue else {
      throw .eventMalformed("a value of \(bytes.count) bytes")
    }
    output.append(bigEndian: UInt16(bytes.count))
    output.append(copying: bytes)
  }
}
