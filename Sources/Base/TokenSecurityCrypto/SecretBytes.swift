internal import CTokenSecurityOpenSSL
internal import TokenSecurityBase

/// Secret bytes: a shared secret, a password, a private key.
///
/// They cannot be copied, are wiped at the end of their lifetime, have no description and are compared in
/// constant time. Read them without a copy with ``withBytes(_:)``.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableBufferPointer<UInt8>

  /// A copy of `bytes`. The original is not wiped: if possible, read secrets directly into this type.
  ///
  /// - Parameter bytes: the secret.
  public init(_ bytes: borrowing Span<UInt8>) {
    unsafe storage = Self.allocated(bytes.count)
    for index in bytes.indices { unsafe storage[index] = bytes[index] }
  }

  /// A copy of text as UTF-8: for tests and examples, and for secrets that a program has as text. The text is not wiped.
  ///
  ///     let password = SecretBytes("correct horse battery staple")
  ///
  /// - Parameter text: the secret.
  public init(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)
    self.init(wiping: &bytes)
  }

  /// A copy of a collection's bytes, such as `Data` or `[UInt8]`. The original is not wiped.
  ///
  /// - Parameter bytes: the secret.
  public init(_ bytes: some Collection<UInt8>) {
    var copy = Array(bytes)
    self.init(wiping: &copy)
  }

  /// Bytes that a closure writes.
  ///
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - fill: writes the bytes, which are zero before.
  /// - Throws: the errors of `fill`.
  public init<E: Error>(
    count: Int, _ fill: (inout MutableSpan<UInt8>) throws(E) -> Void
  ) throws(E) {
    let buffer = unsafe Self.allocated(count)
    unsafe buffer.initialize(repeating: 0)
    var span = unsafe buffer.mutableSpan
    do {
      try fill(&span)
    } catch {
      unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
      unsafe buffer.deallocate()
      throw error
    }
    unsafe storage = unsafe buffer
  }

  /// Moves the bytes out of an array and wipes it. Its storage is wiped only if no other reference to it
  /// exists.
  ///
  /// - Parameter bytes: the secret; empty afterwards.
  public init(wiping bytes: inout [UInt8]) {
    self.init(bytes.span)
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
  }

  /// Memory for bytes. An allocation of none is an error for memcheck.
  private static func allocated(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    unsafe count == 0 ? UnsafeMutableBufferPointer(start: nil, count: 0) : .allocate(capacity: count)
  }

  /// Makes random bytes.
  ///
  /// - Parameter count: the number of bytes.
  /// - Returns: the bytes.
  /// - Throws: an error if the system has no entropy.
  public static func random(count: Int) throws -> SecretBytes {
    try Random.secretBytes(count: count)
  }

  deinit {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  /// The number of bytes.
  public var count: Int { unsafe storage.count }

  /// Calls a closure with the bytes. Copies that it makes are not wiped.
  ///
  /// - Parameter body: reads the bytes.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`.
  public borrowing func withBytes<R: ~Copyable, E: Error>(
    _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage))
    return try body(span)
  }

  /// Makes another copy, which is wiped too.
  ///
  /// - Returns: the copy.
  public borrowing func clone() -> SecretBytes {
    withBytes { SecretBytes($0) }
  }

  /// Compares in time that depends only on the length.
  ///
  /// - Parameter other: other bytes.
  /// - Returns: true if both are the same.
  public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    withBytes { bytes in other.withBytes { ConstantTime.areEqual(bytes, $0) } }
  }

  /// Compares with text that somebody sent, in time that depends only on the lengths.
  ///
  ///     let apiKey = SecretBytes("example")
  ///     if apiKey.isEqual(to: "what a caller sent") { print("welcome") }
  ///
  /// - Parameter text: the text, compared as UTF-8.
  /// - Returns: true if both are the same.
  public borrowing func isEqual(to text: some StringProtocol) -> Bool {
    isEqual(to: SecretBytes(text))
  }

  /// Makes an array of the bytes, which is not wiped.
  ///
  /// - Returns: the bytes.
  public borrowing func unwipedBytes() -> [UInt8] { withBytes { [UInt8](unwipedCopy: $0) } }

  /// Makes text of the bytes, for programs that need it as text. The text is not wiped: keep it as short as possible.
  ///
  /// - Returns: the text; nil where the bytes are not UTF-8.
  public borrowing func unwipedText() -> String? {
    withBytes { bytes in
      guard let text = try? UTF8Span(validating: bytes) else { return nil }
      return String(copying: text)
    }
  }
}

extension [UInt8] {
  /// A copy that is not wiped: for public bytes, or bytes that the caller wipes.
  package init(unwipedCopy span: borrowing Span<UInt8>) {
    self = []
    append(copying: span)
  }
}
