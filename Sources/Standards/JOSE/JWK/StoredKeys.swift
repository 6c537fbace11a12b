internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The private keys of an issuer, in a file that outlives the process.
///
///     let path = "/var/lib/my-api/signing-keys.json"
///     var keys = try KeyFile.read(path: path)?.keys ?? []
///     if keys.isEmpty {
///       keys = [try JWK.generate(.es256)]
///       try KeyFile.write(keys, path: path)
///     }
extension KeyFile {
  /// Reads the keys of a file that only its owner can read.
  ///
  /// - Parameter path: a regular file of this user with mode 600, in any form of ``read(_:form:)``. Symbolic links are
  ///   refused.
  /// - Returns: the keys in their order, all of them usable; nil without a file.
  /// - Throws: `keyFileUnusable`; the first rule that the file or one of its keys breaks.
  public static func read(path: String) throws(JOSEError) -> JWKSet? {
    let read: [UInt8]?
    do { read = try PrivateFile(path: path).read(limit: JSONLimits().size) } catch {
      throw .keyFileUnusable(error.reason)
    }
    guard var contents = read else { return nil }
    let set = try KeyFile.read(SecretBytes(wiping: &contents))
    if let other = set.rejected.first { throw other.error }
    return set
  }

  /// Writes private keys as a JWK set to a file with mode 600. An existing file is replaced as a whole, and the keys are
  /// on the disk when this returns.
  ///
  /// - Parameters:
  ///   - keys: the keys, all of them private or shared secrets. ``read(path:)`` returns them in this order.
  ///   - path: the file, in an existing folder.
  /// - Throws: `keyNotPrivate`, `keySetInvalid` for no key or too many; `keyFileUnusable`.
  public static func write(_ keys: [JWK], path: String) throws(JOSEError) {
    guard (1...JWKSet.keyLimit).contains(keys.count) else {
      throw .keySetInvalid(rule: "it has \(keys.count) keys; 1 to \(JWKSet.keyLimit) can be written")
    }
    var text = Array(#"{"keys":["#.utf8)
    defer { _ = SecretBytes(wiping: &text) }
    for (index, key) in keys.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      try key.privateJWK().withBytes { bytes in append(bytes, to: &text) }
    }
    text.append(contentsOf: "]}\n".utf8)
    do { try PrivateFile(path: path).replace(with: text.span, isShared: true) } catch {
      throw .keyFileUnusable(error.reason)
    }
  }

  /// Appends secret bytes. An array that grows would leave them in the memory that it gives up.
  private static func append(_ bytes: borrowing Span<UInt8>, to text: inout [UInt8]) {
    var longer: [UInt8] = []
    longer.reserveCapacity(text.count + bytes.count + 4)
    longer.append(contentsOf: text)
    for index in bytes.indices { longer.append(bytes[index]) }
    _ = SecretBytes(wiping: &text)
    text = longer
  }
}
