internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The keys of a PEM text. Blocks of one key, such as a private key and its certificate, count as one.
struct PEMKeys {
  private typealias Block = (shape: KeyShape, label: String, der: Result<SecretBlock, JOSEError>)

  /// The bytes of a block, for a collection.
  private final class SecretBlock {
    let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
  }

  private let form: KeyForm
  private var keys: [(index: Int, key: JWK)] = []
  private var positions: [PublicKey.Components: Int] = [:]
  private var rejected: [JWKSet.Rejected] = []

  /// Reads the keys of a text.
  ///
  /// Blocks with unknown labels are ignored, and certificates that issued another one of the text: they are a chain, not
  /// keys for tokens.
  ///
  /// - Returns: the keys. They have no `kid` and verify tokens with any.
  /// - Throws: the rule that the text or the only key breaks.
  static func read(_ text: [UInt8], form: KeyForm) throws(JOSEError) -> JWKSet {
    var reader = PEMKeys(form: form)
    let blocks = try withoutIssuers(blocks(text))
    for (index, block) in blocks.enumerated() {
      do throws(JOSEError) {
        try reader.add(block, index)
      } catch {
        reader.rejected.append(JWKSet.Rejected(index: index, keyID: nil, error: error))
      }
    }
    if reader.keys.isEmpty, let first = reader.rejected.first { throw first.error }
    return JWKSet(nameless: reader.keys, reader.rejected)
  }

  private init(form: KeyForm) { self.form = form }

  private static func blocks(_ text: [UInt8]) throws(JOSEError) -> [Block] {
    var found: [Block] = []
    var unknown: String? = nil
    var blocks = PEMBlocks(text)
    while let block = try blocks.next() {
      guard let shape = KeyShape(label: block.label) else {
        if unknown == nil, block.label != "EC PARAMETERS" { unknown = block.label }
        continue
      }
      guard found.count < JWKSet.keyLimit else {
        throw .keySetInvalid(rule: "it has more than \(JWKSet.keyLimit) keys, the maximum")
      }
      do throws(JOSEError) {
        found.append((shape, block.label, .success(SecretBlock(try blocks.decode(block)))))
      } catch {
        found.append((shape, block.label, .failure(error)))
      }
    }
    if found.isEmpty {
      if let unknown { throw .keyTypeUnknown(unknown) }
      guard !ByteOrderMark.begins(text.span) else {
        throw .pem(rule: "it begins with a UTF-8 byte order mark, and no key follows")
      }
      guard !ByteOrderMark.beginsUTF16(text.span) else {
        throw .pem(rule: "it is UTF-16, as its byte order mark says; save it as UTF-8")
      }
      throw .keyUnreadable
    }
    return found
  }

  /// The blocks without certificates of issuers of others. If these issued one another, all remain.
  private static func withoutIssuers(_ blocks: [Block]) -> [Block] {
    guard blocks.count > 1 else { return blocks }
    let names = blocks.map { block -> CertificateNames? in
      guard block.shape == .certificate, case .success(let der) = block.der else { return nil }
      return CertificateNames(publicBytes(der.bytes))
    }
    let issued = names.compactMap { $0 }.filter { !$0.isSelfSigned }
    let issuers = Set(issued.filter { $0.issuer != $0.subject }.map(\.issuer))
    // Certificates with the name of their authority: only one that signed itself can have issued the others.
    let roots = Set(issued.filter { $0.issuer == $0.subject }.map(\.issuer))
    let rest = zip(blocks, names).filter { _, names in
      guard let names else { return true }
      return !issuers.contains(names.subject) && !(names.isSelfSigned && roots.contains(names.subject))
    }
    return rest.isEmpty ? blocks : rest.map(\.0)
  }

  private mutating func add(_ block: Block, _ index: Int) throws(JOSEError) {
    if block.shape.isPrivate, form.privateMembers != .read { throw .keyNotPublic(member: block.label) }
    let der = try block.der.get()
    let key: JWK
    do { key = try JWK(block.shape, der.bytes) } catch { throw JOSEError(error) }
    guard let components = key.publicKey?.components else { throw .keyUnreadable }
    guard let position = positions[components] else {
      positions[components] = keys.count
      keys.append((index, key))
      return
    }
    let other = keys[position].key
    keys[position].key = JWK(
      material: other.isPrivate ? other.material : key.material,
      certificates: other.certificates.isEmpty ? key.certificates : other.certificates)
  }
}

extension JWK {
  /// A key in DER of the form `shape`.
  init(_ shape: KeyShape, _ der: borrowing SecretBytes) throws(CryptoError) {
    switch shape {
    case .subjectPublicKeyInfo:
      self.init(material: .publicKey(try KeyDER.subjectPublicKeyInfo(publicBytes(der))))
    case .rsaPublicKey:
      self.init(material: .publicKey(try KeyDER.rsaPublicKey(publicBytes(der))))
    case .privateKeyInfo: self.init(material: .privateKey(try KeyDER.privateKeyInfo(der)))
    case .rsaPrivateKey: self.init(material: .privateKey(try KeyDER.rsaPrivateKey(der)))
    case .ecPrivateKey: self.init(material: .privateKey(try KeyDER.ecPrivateKey(der)))
    case .certificate:
      let certificate = publicBytes(der)
      self.init(material: .publicKey(try KeyDER.certificate(certificate)), certificates: [certificate])
    case .encryptedPrivateKeyInfo: throw .encryptedKey
    }
  }
}

private func publicBytes(_ der: borrowing SecretBytes) -> [UInt8] {
  der.withBytes { span in [UInt8](unwipedCopy: span) }
}

extension KeyShape {
  /// The form for a PEM label (RFC 7468).
  fileprivate init?(label: String) {
    switch label {
    case "PUBLIC KEY": self = .subjectPublicKeyInfo
    case "RSA PUBLIC KEY": self = .rsaPublicKey
    case "PRIVATE KEY": self = .privateKeyInfo
    case "ENCRYPTED PRIVATE KEY": self = .encryptedPrivateKeyInfo
    case "RSA PRIVATE KEY": self = .rsaPrivateKey
    case "EC PRIVATE KEY": self = .ecPrivateKey
    // The second label is an older one (RFC 7468 section 5.1).
    case "CERTIFICATE", "X509 CERTIFICATE": self = .certificate
    default: return nil
    }
  }
}
