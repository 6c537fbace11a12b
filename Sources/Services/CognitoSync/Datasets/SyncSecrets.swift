package import TokenLifetime
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Seals the tokens of synchronisations with AES-256-GCM, with a key that is derived from a master key (HKDF, RFC
/// 5869).
///
/// Nothing that is stored is sealed with it: another master key ends the synchronisations that have begun, and no
/// more.
public final class SyncSecrets: Sendable {
  private let ciphers: PurposeCiphers<Purpose>

  /// The master key's length in bytes.
  public static let masterSize = AuthenticatedCipher.keySize

  private enum Purpose: Int, SealingPurpose {
    case session

    var info: StaticString {
      switch self {
      case .session: "sync sessions"
      }
    }
  }

  /// Derives the key.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(SyncError) {
    do throws(CryptoError) { ciphers = try PurposeCiphers(master: master) } catch { throw SyncError(error) }
  }

  /// Makes the token of a synchronisation of one data set of one identity: a random id, its end, and the base of the data
  /// set that was listed.
  package func token(
    for key: DatasetKey, base: Int64, at now: Timestamp
  ) throws(SyncError) -> String {
    let end = now.wholeSecond + Self.lifetime
    var bytes = try SyncError.crypto { () throws(CryptoError) in
      try Random.publicBytes(count: Self.idSize)
    }
    bytes.append(bigEndian: end.seconds)
    bytes.append(bigEndian: base)
    let content = SecretBytes(bytes.span)
    do throws(CryptoError) {
      return Base64URL.string(
        Declassification.of(try ciphers.seal(content, for: .session, name: Self.name(key))))
    } catch {
      throw SyncError(error)
    }
  }

  /// Checks the token of a synchronisation.
  ///
  /// - Returns: the base of the data set that was listed.
  /// - Throws: `sessionTokenInvalid` for a token of another data set or identity, and after its end.
  @discardableResult
  package func check(
    _ token: String, for key: DatasetKey, at now: Timestamp
  ) throws(SyncError) -> Int64 {
    guard let sealed = try? Base64URL.decode(token) else { throw .sessionTokenInvalid }
    guard let content = try open(sealed, Self.name(key)), content.count == Self.idSize + 16 else {
      throw .sessionTokenInvalid
    }
    // The token is sealed against forgery. Its end and its base are not secrets.
    let bytes = Declassification.of(content.withBytes { [UInt8](unwipedCopy: $0) })
    let numbers = bytes.dropFirst(Self.idSize)
    let (end, base) = (Int64(bigEndianBytes: numbers.prefix(8)), Int64(bigEndianBytes: numbers.dropFirst(8)))
    guard now < Timestamp(seconds: end) else { throw .sessionTokenInvalid }
    return base
  }

  private func open(_ sealed: [UInt8], _ name: String) throws(SyncError) -> SecretBytes? {
    do throws(CryptoError) { return try ciphers.open(sealed.span, for: .session, name: name) } catch {
      throw SyncError(error)
    }
  }

  /// How long records can be changed after they were listed.
  static let lifetime = Duration.seconds(600)
  private static let idSize = 16

  /// None of the parts has a line feed.
  private static func name(_ key: DatasetKey) -> String {
    "\(key.identity.poolID)\n\(key.identity.identityID)\n\(key.name)"
  }
}
