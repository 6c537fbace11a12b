internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Seals stored secrets, and makes digests that are useless without the master key.
///
/// Each purpose has a key of its own, derived from the master key (HKDF, RFC 5869): a secret that was sealed
/// for one purpose cannot be opened for another.
public final class UserPoolSecrets: Sendable {
  private let ciphers: PurposeCiphers<Purpose>
  private let digests: [MessageAuthenticator]
  /// The secret of simulated users of pools that have none of their own.
  package let simulation: SecretBytes

  /// The master key's length in bytes.
  public static let masterSize = AuthenticatedCipher.keySize

  /// The kind of data that is sealed.
  package enum Purpose: Int, SealingPurpose {
    /// SRP verifiers of passwords and devices.
    case verifier
    case softwareToken
    case clientSecret
    case signingKey
    /// Messages that wait to be sent.
    case message
    /// Sessions and secret blocks, which clients send back.
    case session
    /// Secrets from which answers for users who do not exist are made.
    case simulation

    package var info: StaticString {
      switch self {
      case .verifier: "user pool verifiers"
      case .softwareToken: "user pool software tokens"
      case .clientSecret: "user pool client secrets"
      case .signingKey: "user pool signing keys"
      case .message: "user pool messages"
      case .session: "user pool sessions"
      case .simulation: "user pool simulations"
      }
    }
  }

  /// The kind of data that digests are made of.
  package enum DigestPurpose: Int, Sendable, Hashable, CaseIterable {
    case code
    case refreshToken
    /// Names and addresses whose attempts are counted.
    case attempt
    /// Pagination tokens.
    case page

    fileprivate var info: StaticString {
      switch self {
      case .code: "user pool codes"
      case .refreshToken: "user pool refresh tokens"
      case .attempt: "user pool attempts"
      case .page: "user pool pages"
      }
    }
  }

  /// Derives the keys.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(UserPoolError) {
    let none: [UInt8] = []
    do throws(CryptoError) {
      ciphers = try PurposeCiphers(master: master)
      simulation = try KeyDerivation.hkdf(
        master, salt: none.span, info: "user pool simulated users", count: AuthenticatedCipher.keySize)
      var digests: [MessageAuthenticator] = []
      for purpose in DigestPurpose.allCases {
        let key = try KeyDerivation.hkdf(
          master, salt: none.span, info: purpose.info, count: AuthenticatedCipher.keySize)
        digests.append(try MessageAuthenticator(key: key, digest: .sha256))
      }
      self.digests = digests
    } catch {
      throw UserPoolError(error)
    }
  }

  /// Seals `secret` and authenticates `name`, which must be the same when it is opened.
  package func seal(
    _ secret: borrowing SecretBytes, for purpose: Purpose, name: String
  ) throws(UserPoolError) -> [UInt8] {
    do throws(CryptoError) { return try ciphers.seal(secret, for: purpose, name: name) } catch {
      throw UserPoolError(error)
    }
  }

  /// Opens a sealed secret; nil where the authentication fails.
  package func open(
    _ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String
  ) throws(UserPoolError) -> SecretBytes? {
    do throws(CryptoError) { return try ciphers.open(sealed, for: purpose, name: name) } catch {
      throw UserPoolError(error)
    }
  }

  /// The HMAC-SHA256 of parts, with the key of a purpose.
  package func digest(_ parts: [[UInt8]], for purpose: DigestPurpose) throws(UserPoolError) -> [UInt8] {
    let authenticator = digests[purpose.rawValue]
    return try UserPoolError.crypto { () throws(CryptoError) in try authenticator.authenticate(parts) }
  }

  /// The same of texts.
  package func digest(_ texts: String..., for purpose: DigestPurpose) throws(UserPoolError) -> [UInt8] {
    try digest(texts.map { Array($0.utf8) }, for: purpose)
  }
}

extension MessageAuthenticator {
  /// Authenticates parts, each preceded by its length, so that different parts never give the same message.
  func authenticate(_ parts: [[UInt8]]) throws(CryptoError) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(parts.reduce(8 * parts.count) { $0 + $1.count })
    for part in parts { message.append(counted: part) }
    return try authenticate(message.span)
  }
}
