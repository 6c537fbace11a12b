internal import TokenSecurityCrypto

/// The object of a `ts_buffer`: bytes that may be secret, and a zero byte. They are wiped.
@safe
final class BufferObject: @unchecked Sendable {
  private let bytes: SecretBytes
  /// The number of bytes without the zero byte.
  let count: UInt
  /// The first byte. The storage of `SecretBytes` does not move.
  let start: UnsafePointer<UInt8>?

  init(_ content: borrowing SecretBytes) {
    count = UInt(content.count)
    bytes = SecretBytes(count: content.count + 1) { output in
      content.withBytes { content in
        for index in content.indices { output[index] = content[index] }
      }
    }
    unsafe start = bytes.withBytes { span in unsafe span.withUnsafeBufferPointer { $0.baseAddress } }
  }

  convenience init(_ bytes: [UInt8]) { self.init(SecretBytes(bytes.span)) }

  convenience init(_ text: String) { self.init(SecretBytes(text.utf8.span)) }
}
