internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Seals stored secrets and session tokens with AES-256-GCM.
///
/// Each purpose has its own key, derived from one master key (HKDF, RFC 5869): a secret that was sealed for
/// one purpose cannot be opened for another.
public final class SealingKeys: Sendable {
  private let ciphers: PurposeCiphers<Purpose>

  /// The master key's length in bytes.
  public static let masterSize = AuthenticatedCipher.keySize

  /// The purposes of sealing.
  enum Purpose: Int, SealingPurpose {
    case signingKey
    case accessKey
    case session
    /// Responses to signed calls that nodes share.
    case call

    var info: StaticString {
      switch self {
      case .signingKey: "identity signing keys"
      case .accessKey: "identity access keys"
      case .session: "identity sessions"
      case .call: "identity calls"
      }
    }
  }

  /// Derives the keys.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(IdentityError) {
    do throws(CryptoError) { ciphers = try PurposeCiphers(master: master) } catch {
      throw IdentityError(error)
    }
  }

  /// Seals `secret` and authenticates `name`, which must be the same when it is opened.
  func seal(_ secret: borrowing SecretBytes, for purpose: Purpose, name: String) throws(IdentityError)
    -> [UInt8]
  {
    do throws(CryptoError) { return try ciphers.seal(secret, for: purpose, name: name) } catch {
      throw IdentityError(error)
    }
  }

  /// Opens a sealed secret; nil where the authentication fails.
  func open(_ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String) throws(IdentityError)
    -> SecretBytes?
  {
    do throws(CryptoError) { return try ciphers.open(sealed, for: purpose, name: name) } catch {
      throw IdentityError(error)
    }
  }
}
