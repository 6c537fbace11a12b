internal import CTokenSecurityOpenSSL

/// The owner of a libcrypto key.
///
/// Safe to share: the key is immutable, and libcrypto counts its references atomically.
@safe
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  /// The number called `name`, big-endian without leading zeros; nil if the key has none.
  func number(_ name: String) -> [UInt8]? {
    var number: OpaquePointer? = nil
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return nil }
    defer { unsafe BN_clear_free(number) }
    var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(number) + 7) / 8)
    unsafe bytes.withUnsafeMutableBufferPointer { _ = unsafe BN_bn2bin(number, $0.baseAddress) }
    return bytes
  }

  /// The secret number called `name`, padded with leading zeros to `size` bytes.
  func secretNumber(_ name: String, size: Int? = nil) -> SecretBytes? {
    var number: OpaquePointer? = unsafe BN_secure_new()
    guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else {
      unsafe BN_clear_free(number)
      return nil
    }
    defer { unsafe BN_clear_free(number) }
    let count = max(size ?? 0, Int(unsafe BN_num_bits(number) + 7) / 8)
    return SecretBytes(count: count) { span in
      unsafe span.withUnsafeMutableBufferPointer {
        _ = unsafe BN_bn2binpad(number, $0.baseAddress, Int32(count))
      }
    }
  }

  /// The name of an elliptic curve key's group in libcrypto.
  var groupName: String? {
    var length = 0
    var buffer = [UInt8](repeating: 0, count: 80)
    let found = unsafe buffer.withUnsafeMutableBytes { raw in
      unsafe EVP_PKEY_get_group_name(
        pointer, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, &length)
    }
    guard found == 1 else { return nil }
    return String(decoding: buffer[..<length], as: UTF8.self)
  }

  func isType(_ name: String) -> Bool {
    unsafe EVP_PKEY_is_a(pointer, name) == 1
  }
}
