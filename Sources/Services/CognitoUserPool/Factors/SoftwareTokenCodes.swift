internal import OneTimeCodes
internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Result of the check of a software token's code.
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

  /// A right code: its step, and the name under which the step is used up.
  struct Match: Sendable {
    let step: UInt64
    let name: [UInt8]
  }

  /// Compares a code with those of the present steps; nil for a wrong one.
  func match(
    _ code: String, _ secrets: UserPoolSecrets, at now: Timestamp
  ) throws(UserPoolError) -> Match? {
    let secret = try opened(secrets)
    let step: UInt64
    do throws(OTPError) {
      step = try TOTP(secret: OTPSecret(secret)).verify(code, at: now, window: Self.window).step
    } catch {
      switch error.code {
      case .codeMismatch, .codeMalformed: return nil
      default: throw .cryptoFailed("\(error)")
      }
    }
    return Match(step: step, name: try useName(step, of: secret))
  }

  private func opened(_ secrets: UserPoolSecrets) throws(UserPoolError) -> SecretBytes {
    guard let secret = try secrets.open(sealed.span, for: .softwareToken, name: Self.sealName(user)) else {
      throw .cryptoFailed("the secret of a software token cannot be opened")
    }
    return secret
  }

  /// The name under which a step is used up: a digest whose key is the token's secret. It stays the same when the secret
  /// is sealed anew, the same step of another secret has another name, and the name tells nothing of the secret.
  private func useName(
    _ step: UInt64, of secret: borrowing SecretBytes
  ) throws(UserPoolError) -> [UInt8] {
    let parts = ["used step", user.poolID, user.sub].map { Array($0.utf8) } + [Self.bytes(of: step)]
    do throws(CryptoError) {
      return try MessageAuthenticator(key: secret, digest: .sha256).authenticate(parts)
    } catch {
      throw UserPoolError(error)
    }
  }

  /// The name that versions up to 0.2.0 gave to a used step. It depends on the seal.
  func earlierUseName(_ step: UInt64) throws(UserPoolError) -> [UInt8] {
    let bytes = sealed + Self.bytes(of: step)
    return try UserPoolError.crypto { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(bytes.span) }
  }

  private static func bytes(of step: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: step)
    return bytes
  }

  /// The steps whose codes may still be accepted, and one more on each side for clocks that differ, with their present names.
  func acceptableSteps(
    at now: Timestamp, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> [Match] {
    let secret = try opened(secrets)
    let present = max(0, now.seconds / Self.period)
    var steps: [Match] = []
    for step in max(0, present - 2)...present.saturatingSum(2) {
      steps.append(Match(step: UInt64(step), name: try useName(UInt64(step), of: secret)))
    }
    return steps
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
    guard let match = try token.match(code, secrets, at: now) else { return .wrong }
    // A code that an earlier version used up stays used.
    guard try !isUsed(token.earlierUseName(match.step), .softwareTokenStep, in: token.user.poolID) else {
      return .used
    }
    let isFresh = try use(
      match.name, .softwareTokenStep, in: token.user.poolID, until: SoftwareToken.end(of: match.step))
    return isFresh ? .right : .used
  }

  /// Gives the steps that an earlier version used up their present names, of a user whose secret is sealed as it was then.
  func renameUsedSteps(of user: User, _ secrets: UserPoolSecrets) throws(UserPoolError) {
    guard let sealed = user.softwareToken else { return }
    let token = SoftwareToken(sealed: sealed, user: user)
    for match in try token.acceptableSteps(at: now, secrets)
    where try isUsed(token.earlierUseName(match.step), .softwareTokenStep, in: user.poolID) {
      _ = try use(
        match.name, .softwareTokenStep, in: user.poolID, until: SoftwareToken.end(of: match.step))
    }
  }
}
