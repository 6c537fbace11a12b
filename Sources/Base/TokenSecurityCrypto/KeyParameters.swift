internal import CTokenSecurityOpenSSL

/// The parts of a key for `EVP_PKEY_fromdata`.
@safe
struct KeyParameters: ~Copyable {
  private let builder: OpaquePointer?
  private var numbers: [OpaquePointer?] = unsafe []
  // The builder uses the addresses of texts and octets until the key is made.
  private var kept: [UnsafeMutableBufferPointer<UInt8>] = unsafe []
  private var isComplete = true

  init() {
    unsafe builder = unsafe OSSL_PARAM_BLD_new()
  }

  deinit {
    unsafe numbers.forEach { unsafe BN_clear_free($0) }
    unsafe kept.forEach { unsafe $0.deallocate() }
    unsafe OSSL_PARAM_BLD_free(builder)
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) -> UnsafeMutableBufferPointer<UInt8> {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe buffer.initialize(from: bytes)
    unsafe kept.append(buffer)
    return unsafe buffer
  }

  mutating func add(_ name: StaticString, number bytes: [UInt8]) {
    unsafe add(name, bytes.span, unsafe BN_new())
  }

  // For a number in secure memory, libcrypto wipes its copy.
  mutating func add(_ name: StaticString, secret: borrowing SecretBytes) {
    secret.withBytes { unsafe add(name, $0, unsafe BN_secure_new()) }
  }

  private mutating func add(
    _ name: StaticString, _ bytes: borrowing Span<UInt8>, _ number: OpaquePointer?
  ) {
    let read = unsafe bytes.withUnsafeBufferPointer {
      unsafe BN_bin2bn($0.baseAddress, Int32($0.count), number)
    }
    unsafe numbers.append(number)
    guard unsafe read != nil else {
      isComplete = false
      return
    }
    isComplete = unsafe isComplete && OSSL_PARAM_BLD_push_BN(builder, name.address, number) == 1
  }

  mutating func add(_ name: StaticString, text: String) {
    let kept = unsafe UnsafeRawPointer(keep(Array(text.utf8)).baseAddress)
    let pushed = unsafe OSSL_PARAM_BLD_push_utf8_string(
      builder, name.address, kept?.assumingMemoryBound(to: CChar.self), text.utf8.count)
    isComplete = isComplete && pushed == 1
  }

  mutating func add(_ name: StaticString, octets: [UInt8]) {
    let kept = unsafe keep(octets)
    let pushed = unsafe OSSL_PARAM_BLD_push_octet_string(
      builder, name.address, kept.baseAddress, kept.count)
    isComplete = isComplete && pushed == 1
  }

  /// Makes a key of the type called `type`; nil if libcrypto refuses the parts.
  consuming func makeKey(type: String, selection: Int32) -> KeyHandle? {
    guard isComplete, let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
    defer { unsafe OSSL_PARAM_free(parameters) }
    let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer? = nil
    guard unsafe EVP_PKEY_fromdata_init(context) == 1,
      unsafe EVP_PKEY_fromdata(context, &key, selection, parameters) == 1,
      let key = unsafe key
    else {
      ERR_clear_error()
      return nil
    }
    return unsafe KeyHandle(owning: key)
  }
}

/// libcrypto's selections of key parts, whose macros Swift cannot read.
enum KeySelection {
  static let publicKey =
    Int32(OSSL_KEYMGMT_SELECT_PUBLIC_KEY) | Int32(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)
  static let keyPair = publicKey | Int32(OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
}
