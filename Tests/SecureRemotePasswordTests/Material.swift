internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Users, servers and passwords for the tests.
enum Material {
  static func secret(_ text: String) -> SecretBytes { SecretBytes(text.utf8.span) }
  static func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(bytes.span) }

  static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { [UInt8](unwipedCopy: $0) }
  }

  static func parameters(
    _ group: SRPGroup.Standard = .bits1024, _ hash: SRPHash = .sha256
  ) throws -> SRPParameters {
    try SRPParameters(group: SRPGroup(group), hash: hash)
  }

  /// The code of the error that `body` throws; nil if it throws none.
  static func code(_ body: () throws -> Void) -> SRPError.Code? {
    do { try body() } catch let error as SRPError { return error.code } catch { return nil }
    return nil
  }

  /// The same for asynchronous code.
  static func code(_ body: () async throws -> Void) async -> SRPError.Code? {
    do { try await body() } catch let error as SRPError { return error.code } catch { return nil }
    return nil
  }
}
