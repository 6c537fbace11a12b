internal import CTokenSecurityOpenSSL

/// Bytes that must not get around: a shared secret, a password, a private key.
///
/// They cannot be copied, are wiped when they end, have no description and are compared in constant
/// time. Whoever needs them reads them in place with ``withBytes(_:)``.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableBufferPointer<UInt8>

  /// A copy of `bytes`. The caller's own copy stays as it is: read secrets from files or the network
  /// straight into this type where that is possible.
  public init(_ bytes: borrowing Span<UInt8>) {
    unsafe storage = UnsafeMutableBufferPointer.allocate(capacity: bytes.count)
    for index in bytes.indices { unsafe storage[index] = bytes[index] }
  }

  /// `count` bytes that `fill` writes. They are zero before.
  public init<E: Error>(
    count: Int, _ fill: (inout MutableSpan<UInt8>) throws(E) -> Void
  ) throws(E) {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
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

  /// Takes the bytes out of an array and wipes the array.
  ///
  /// This wipes the array's storage only where nobody else holds it; hand over the last reference.
  public init(wiping bytes: inout [UInt8]) {
    self.init(bytes.span)
    unsafe bytes.withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    bytes = []
  }

  /// `count` bytes from libcrypto's generator of random numbers. Throws where the system has none to give.
  public static func random(count: Int) throws -> SecretBytes {
    try Random.secretBytes(count: count)
  }

  deinit {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  /// How many bytes there are.
  public var count: Int { unsafe storage.count }

  /// Lets `body` read the bytes in place. What `body` copies out of them is no longer wiped.
  public borrowing func withBytes<R: ~Copyable, E: Error>(
    _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(storage))
    return try body(span)
  }

  /// Another wiped copy of the same bytes.
  public borrowing func clone() -> SecretBytes {
    withBytes { SecretBytes($0) }
  }

  /// Compares in time that depends on the length alone.
  public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    withBytes { mine in other.withBytes { theirs in ConstantTime.areEqual(mine, theirs) } }
  }
}

extension [UInt8] {
  /// A copy that nobody wipes: for what is public, or is wiped by the caller.
  package init(unwipedCopy span: borrowing Span<UInt8>) {
    self = [UInt8](repeating: 0, count: span.count)
    for index in span.indices { self[index] = span[index] }
  }
}
