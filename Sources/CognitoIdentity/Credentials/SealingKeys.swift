public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Seals stored secrets and session tokens with AES-256-GCM.
///
/// Each purpose has its own key, derived from one master key (HKDF, RFC 5869): a secret that was sealed for
/// one purpose cannot be opened for another.
public final class SealingKeys: Sendable {
  private let signingKeys: AuthenticatedCipher
  private let accessKeys: AuthenticatedCipher
  private let sessions: AuthenticatedCipher
  private let calls: AuthenticatedCipher

  /// The master key's length in bytes.
  public static let masterSize = 32

  /// The purposes of sealing.
  enum Purpose: Sendable, Hashable, CaseIterable {
    case signingKey
    case accessKey
    case session
    /// Responses to signed calls that nodes share.
    case call
  }

  /// Derives the keys.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(IdentityError) {
    guard master.count == Self.masterSize else { throw .cryptoFailed("a master key must have 32 bytes") }
    let none: [UInt8] = []
    do throws(CryptoError) {
      signingKeys = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "identity signing keys", count: 32))
      accessKeys = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "identity access keys", count: 32))
      sessions = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "identity sessions", count: 32))
      calls = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "identity calls", count: 32))
    } catch {
      throw IdentityError(error)
    }
  }

  /// Seals `secret` and authenticates `name`, which must be the same when it is opened.
  func seal(_ secret: borrowing SecretBytes, for purpose: Purpose, name: String) throws(IdentityError)
    -> [UInt8]
  {
    do throws(CryptoError) {
      return switch purpose {
      case .signingKey: try signingKeys.seal(secret, context: name.utf8.span)
      case .accessKey: try accessKeys.seal(secret, context: name.utf8.span)
      case .session: try sessions.seal(secret, context: name.utf8.span)
      case .call: try calls.seal(secret, context: name.utf8.span)
      }
    } catch {
      throw IdentityError(error)
    }
  }

  /// Opens a sealed secret; nil where the authentication fails.
  func open(_ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String) throws(IdentityError)
    -> SecretBytes?
  {
    do throws(CryptoError) {
      return switch purpose {
      case .signingKey: try signingKeys.open(sealed, context: name.utf8.span)
      case .accessKey: try accessKeys.open(sealed, context: name.utf8.span)
      case .session: try sessions.open(sealed, context: name.utf8.span)
      case .call: try calls.open(sealed, context: name.utf8.span)
      }
    } catch {
      throw IdentityError(error)
    }
  }
}
