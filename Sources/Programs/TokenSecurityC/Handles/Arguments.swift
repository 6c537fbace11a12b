internal import TokenSecurityCrypto

/// Arguments of C functions, checked and copied.
enum Arguments {
  /// Maximum size of an argument in bytes: 16 MiB.
  static let limit: UInt = 16 << 20

  /// Copies bytes. Null is accepted for a length of 0.
  static func bytes(
    _ start: UnsafePointer<UInt8>?, _ count: UInt, _ name: String
  ) throws(CallError) -> [UInt8] {
    try check(unsafe start == nil, count, name)
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// Bytes of the caller, for the time of a call. Null is accepted for a length of 0.
  static func borrowed(
    _ start: UnsafePointer<UInt8>?, _ count: UInt, _ name: String
  ) throws(CallError) -> UnsafeBufferPointer<UInt8> {
    try check(unsafe start == nil, count, name)
    return unsafe UnsafeBufferPointer(start: start, count: Int(count))
  }

  /// Copies a secret. Null is accepted for a length of 0.
  static func secret(
    _ start: UnsafePointer<UInt8>?, _ count: UInt, _ name: String
  ) throws(CallError) -> SecretBytes {
    try check(unsafe start == nil, count, name)
    return unsafe SecretBytes(UnsafeBufferPointer(start: start, count: Int(count)).span)
  }

  /// Copies a text.
  static func text(_ start: UnsafePointer<CChar>?, _ count: UInt, _ name: String) throws(CallError) -> String
  {
    try check(unsafe start == nil, count, name)
    // Contiguous bytes are validated several at a time.
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(count)).bindMemory(to: UInt8.self)
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw .argumentNotUTF8(name) }
    return text
  }

  /// Copies a text that ends with a zero byte.
  static func text(_ start: UnsafePointer<CChar>?, _ name: String) throws(CallError) -> String {
    guard let start = unsafe start else { throw .argumentMissing(name) }
    var count: UInt = 0
    while unsafe start[Int(count)] != 0 {
      count += 1
      guard count <= limit else { throw .argumentTooLong(name, size: count, limit: limit) }
    }
    return try unsafe text(start, count, name)
  }

  /// The same for an argument that may be null.
  static func optionalText(_ start: UnsafePointer<CChar>?, _ name: String) throws(CallError) -> String? {
    guard let start = unsafe start else { return nil }
    return try unsafe text(start, name)
  }

  /// Copies the beginning of a text that is shown. If it is not UTF-8, its bytes beyond ASCII are escaped.
  static func visible(_ start: UnsafePointer<CChar>?) -> String? {
    guard let start = unsafe start else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < 4_096, unsafe start[bytes.count] != 0 {
      unsafe bytes.append(UInt8(bitPattern: start[bytes.count]))
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return bytes.reduce(into: "") { text, byte in
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + String(byte, radix: 16)
      }
    }
  }

  private static func check(_ isNull: Bool, _ count: UInt, _ name: String) throws(CallError) {
    guard count == 0 || !isNull else { throw .argumentMissing(name) }
    guard count <= limit else { throw .argumentTooLong(name, size: count, limit: limit) }
  }
}
