package import CognitoSRP
public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Seals stored secrets, and makes digests that are useless without the master key.
///
/// Each purpose has a key of its own, derived from the master key (HKDF, RFC 5869): a secret that was sealed
/// for one purpose cannot be opened for another.
public final class UserPoolSecrets: Sendable {
  private let verifiers: AuthenticatedCipher
  private let softwareTokens: AuthenticatedCipher
  private let clientSecrets: AuthenticatedCipher
  private let signingKeys: AuthenticatedCipher
  private let messages: AuthenticatedCipher
  private let sessions: AuthenticatedCipher
  private let digests: [MessageAuthenticator]
  private let simulation: SecretBytes
  /// Verifiers and ids of users who do not exist.
  package let simulatedUsers: CognitoSimulatedUsers

  /// The master key's length in bytes.
  public static let masterSize = 32

  /// What is sealed.
  package enum Purpose: Sendable, Hashable, CaseIterable {
    /// SRP verifiers of passwords and devices.
    case verifier
    case softwareToken
    case clientSecret
    case signingKey
    /// Messages that wait to be sent.
    case message
    /// Sessions and secret blocks, which clients send back.
    case session
  }

  /// What digests are made of.
  package enum DigestPurpose: Int, Sendable, Hashable, CaseIterable {
    case code
    case refreshToken
    /// Names and addresses whose attempts are counted.
    case attempt
    /// Pagination tokens.
    case page
    /// Answers for users who do not exist.
    case simulated

    fileprivate var info: StaticString {
      switch self {
      case .code: "user pool codes"
      case .refreshToken: "user pool refresh tokens"
      case .attempt: "user pool attempts"
      case .page: "user pool pages"
      case .simulated: "user pool simulated answers"
      }
    }
  }

  /// Derives the keys.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `cryptoFailed` for another length.
  public init(master: borrowing SecretBytes) throws(UserPoolError) {
    guard master.count == Self.masterSize else { throw .cryptoFailed("a master key must have 32 bytes") }
    let none: [UInt8] = []
    do throws(CryptoError) {
      verifiers = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool verifiers", count: 32))
      softwareTokens = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool software tokens", count: 32))
      clientSecrets = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool client secrets", count: 32))
      signingKeys = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool signing keys", count: 32))
      messages = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool messages", count: 32))
      sessions = try AuthenticatedCipher(
        key: KeyDerivation.hkdf(master, salt: none.span, info: "user pool sessions", count: 32))
      let simulation = try KeyDerivation.hkdf(
        master, salt: none.span, info: "user pool simulated users", count: 32)
      simulatedUsers = try Self.simulatedUsers(simulation)
      self.simulation = simulation
      var digests: [MessageAuthenticator] = []
      for purpose in DigestPurpose.allCases {
        let key = try KeyDerivation.hkdf(
          master, salt: none.span, info: purpose.info, count: 32)
        digests.append(try MessageAuthenticator(key: key, digest: .sha256))
      }
      self.digests = digests
    } catch {
      throw UserPoolError(error)
    }
  }

  private static func simulatedUsers(
    _ key: borrowing SecretBytes
  ) throws(CryptoError) -> CognitoSimulatedUsers {
    do throws(SRPError) { return try CognitoSimulatedUsers(key: key, identity: .uuid) } catch {
      throw .library("\(error)")
    }
  }

  /// Seals `secret` and authenticates `name`, which must be the same when it is opened.
  package func seal(
    _ secret: borrowing SecretBytes, for purpose: Purpose, name: String
  ) throws(UserPoolError) -> [UInt8] {
    do throws(CryptoError) {
      return switch purpose {
      case .verifier: try verifiers.seal(secret, context: name.utf8.span)
      case .softwareToken: try softwareTokens.seal(secret, context: name.utf8.span)
      case .clientSecret: try clientSecrets.seal(secret, context: name.utf8.span)
      case .signingKey: try signingKeys.seal(secret, context: name.utf8.span)
      case .message: try messages.seal(secret, context: name.utf8.span)
      case .session: try sessions.seal(secret, context: name.utf8.span)
      }
    } catch {
      throw UserPoolError(error)
    }
  }

  /// Opens a sealed secret; nil where the authentication fails.
  package func open(
    _ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String
  ) throws(UserPoolError) -> SecretBytes? {
    do throws(CryptoError) {
      return switch purpose {
      case .verifier: try verifiers.open(sealed, context: name.utf8.span)
      case .softwareToken: try softwareTokens.open(sealed, context: name.utf8.span)
      case .clientSecret: try clientSecrets.open(sealed, context: name.utf8.span)
      case .signingKey: try signingKeys.open(sealed, context: name.utf8.span)
      case .message: try messages.open(sealed, context: name.utf8.span)
      case .session: try sessions.open(sealed, context: name.utf8.span)
      }
    } catch {
      throw UserPoolError(error)
    }
  }

  /// The HMAC-SHA256 of parts, each preceded by its length, so that different parts never give the same
  /// message.
  package func digest(_ parts: [[UInt8]], for purpose: DigestPurpose) throws(UserPoolError) -> [UInt8] {
    var message: [UInt8] = []
    message.reserveCapacity(parts.reduce(8 * parts.count) { $0 + $1.count })
    for part in parts {
      let count = UInt64(part.count)
      for shift in stride(from: 56, through: 0, by: -8) {
        message.append(UInt8(truncatingIfNeeded: count >> UInt64(shift)))
      }
      message.append(contentsOf: part)
    }
    return try UserPoolError.crypto { () throws(CryptoError) in
      try digests[purpose.rawValue].authenticate(message.span)
    }
  }

  /// The same of texts.
  package func digest(_ texts: String..., for purpose: DigestPurpose) throws(UserPoolError) -> [UInt8] {
    try digest(texts.map { Array($0.utf8) }, for: purpose)
  }

  /// The key of simulated users, the same for the pool's whole lifetime.
  package func simulationKey() -> SecretBytes { simulation.clone() }
}
