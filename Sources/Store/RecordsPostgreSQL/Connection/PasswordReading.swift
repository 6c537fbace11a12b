internal import Records
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

extension PostgreSQLSettings.Password {
  /// Maximum size of a password in bytes.
  private static var limit: Int { 4_096 }

  /// Reads the password, with a zero byte after it; nil for none.
  func read() throws(RecordStoreError) -> SecretBytes? {
    switch self {
    case .none: return nil
    case .environment(let name):
      let secret = ProcessEnvironment.withBytes(of: name) { bytes in Self.terminated(bytes) }
      guard let secret else {
        throw .settingsRefused("the variable \(name) with the database's password is not set")
      }
      return secret
    case .file(let path):
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else {
        throw .settingsRefused("the file \(path) with the database's password: \(SystemError.text)")
      }
      defer { close(file) }
      guard FileStatus(file)?.isSecret == true else {
        throw .settingsRefused("the file \(path) with the database's password \(FileStatus.secretRule)")
      }
      var count: Int?
      let content = SecretBytes(count: Self.limit) { span in count = Descriptor.fill(&span, from: file) }
      guard let count, count < Self.limit else {
        throw .settingsRefused("the file \(path) with the database's password cannot be read")
      }
      return content.withBytes { bytes in
        let hasLineFeed = count > 0 && bytes[count - 1] == UInt8(ascii: "\n")
        return Self.terminated(bytes.extracting(0..<(hasLineFeed ? count - 1 : count)))
      }
    }
  }

  private static func terminated(_ bytes: borrowing Span<UInt8>) -> SecretBytes {
    SecretBytes(count: bytes.count + 1) { span in
      for index in bytes.indices { span[index] = bytes[index] }
    }
  }
}
