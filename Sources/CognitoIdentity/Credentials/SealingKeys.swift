public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// What seals the secrets that the service keeps, and those that it hands out to get them back.
///
/// One master key, of which each purpose has a key of its own (HKDF, RFC 5869): what was sealed for one cannot be opened
/// for another.
public final class SealingKeys: Sendable {
  private let signingKeys: AuthenticatedCipher
  private let accessKeys: AuthenticatedCipher
  private let sessions: AuthenticatedCipher

  /// The master key's length in bytes.
  public static let masterSize = 32

  /// What something is sealed for.
  enum Purpose: Sendable, Hashable, CaseIterable {
    case signingKey
    case accessKey
    case session
  }

  /// Keys of a master key of 32 bytes.
  ///
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(IdentityError) {
    guard master.count == Self.masterSize else { throw .cryptoFailed("a master key has 32 bytes") }
    let none: [UInt8] = []
    do throws(CryptoError) {
      let first = try KeyDerivation.hkdf(master, salt: none.span, info: "identity signing keys", count: 32)
      let second = try KeyDerivation.hkdf(master, salt: none.span, info: "identity access keys", count: 32)
      let third = try KeyDerivation.hkdf(master, salt: none.span, info: "identity sessions", count: 32)
      signingKeys = try AuthenticatedCipher(key: first)
      accessKeys = try AuthenticatedCipher(key: second)
      sessions = try AuthenticatedCipher(key: third)
    } catch {
      throw IdentityError(error)
    }
  }

  /// Seals `secret` together with `name`, which must be the same when it is opened.
  func seal(_ secret: borrowing SecretBytes, for purpose: Purpose, name: String) throws(IdentityError)
    -> [UInt8]
  {
    let context = name.utf8.span
    do throws(CryptoError) {
      return switch purpose {
      case .signingKey: try signingKeys.seal(secret, context: context)
      case .accessKey: try accessKeys.seal(secret, context: context)
      case .session: try sessions.seal(secret, context: context)
      }
    } catch {
      throw IdentityError(error)
    }
  }

  /// What was sealed; nil for anything else.
  func open(_ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String) throws(IdentityError)
    -> SecretBytes?
  {
    let context = name.utf8.span
    do throws(CryptoError) {
      return switch purpose {
      case .signingKey: try signingKeys.open(sealed, context: context)
      case .accessKey: try accessKeys.open(sealed, context: context)
      case .session: try sessions.open(sealed, context: context)
      }
    } catch {
      throw IdentityError(error)
    }
  }
}
