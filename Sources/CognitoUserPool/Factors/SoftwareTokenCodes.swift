internal import OneTimeCodes
internal import Records
internal import TokenLifetime
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// What a code of a software token is.
package enum SoftwareTokenAnswer: Sendable, Hashable {
  /// Right, and used up by this.
  case right
  case wrong
  /// Right, and used before.
  case used
}

/// A user's software token: a secret that is sealed for this user, and codes of six digits by SHA-1 every 30
/// seconds.
package struct SoftwareToken: Sendable {
  let sealed: [UInt8]
  let user: User

  /// The bytes of a secret: 52 characters in base32, as other services give them.
  static let secretSize = 32
  static let period: Int64 = 30
  /// A code of the step before or after the present one is accepted (RFC 6238 section 5.2).
  private static let window = TOTP.Window(past: 1, future: 1, drift: 0)

  /// Makes a token for a user.
  ///
  /// - Returns: the sealed secret, and the secret in base32 without padding.
  static func make(
    for user: User, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> (sealed: [UInt8], base32: SecretText) {
    let secret: OTPSecret
    do throws(OTPError) { secret = try OTPSecret.random(size: secretSize) } catch {
      throw .cryptoFailed("\(error)")
    }
    let sealed = try secrets.seal(secret.bytes, for: .softwareToken, name: sealName(user))
    guard let text = secret.base32().withBytes({ SecretText($0) }) else {
      throw .cryptoFailed("the secret of a software token is not a text")
    }
    return (sealed, text)
  }

  static func sealName(_ user: User) -> String { "\(user.poolID)/\(user.sub)" }

  /// The step of a right code; nil for a wrong one.
  func step(
    of code: String, _ secrets: UserPoolSecrets, at now: Timestamp
  ) throws(UserPoolError) -> UInt64? {
    guard let secret = try secrets.open(sealed.span, for: .softwareToken, name: Self.sealName(user)) else {
      throw .cryptoFailed("the secret of a software token cannot be opened")
    }
    do throws(OTPError) {
      return try TOTP(OTPSecret(secret)).verify(code, at: now, window: Self.window).step
    } catch {
      switch error.code {
      case .codeMismatch, .codeMalformed: return nil
      default: throw .cryptoFailed("\(error)")
      }
    }
  }

  /// The name under which a step is used up. The same step of another secret has another name, since each seal
  /// has a nonce of its own.
  func useName(_ step: UInt64) throws(UserPoolError) -> [UInt8] {
    var bytes = sealed
    bytes.append(bigEndian: step)
    return try UserPoolError.crypto { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(bytes.span) }
  }

  /// When the last code of a step is refused: a node whose clock is slow reads the same row by its own clock.
  static func end(of step: UInt64) -> Timestamp {
    Timestamp(seconds: Int64(clamping: step).saturatingSum(2).saturatingProduct(period))
  }
}

extension WriteTransaction<UserPoolError> {
  /// Checks a code of a user's verified software token, and uses its step up: each code serves once, on all
  /// nodes. The caller counts wrong codes.
  ///
  /// - Parameters:
  ///   - code: what the user typed.
  ///   - user: the user, as this transaction has read it.
  ///   - secrets: opens the token's secret.
  ///   - now: the time of the call.
  /// - Returns: whether the code is right; `wrong` for a user without a token.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func useSoftwareTokenCode(
    _ code: String, of user: User, secrets: UserPoolSecrets, at now: Timestamp
  ) throws(UserPoolError) -> SoftwareTokenAnswer {
    guard let sealed = user.softwareToken else { return .wrong }
    return try use(code, of: SoftwareToken(sealed: sealed, user: user), secrets, at: now)
  }

  /// The same for a token that is not verified yet.
  func use(
    _ code: String, of token: SoftwareToken, _ secrets: UserPoolSecrets, at now: Timestamp
  ) throws(UserPoolError) -> SoftwareTokenAnswer {
    guard let step = try token.step(of: code, secrets, at: now) else { return .wrong }
    let isFresh = try use(
      token.useName(step), kind: "step", in: token.user.poolID, until: SoftwareToken.end(of: step))
    return isFresh ? .right : .used
  }
}
