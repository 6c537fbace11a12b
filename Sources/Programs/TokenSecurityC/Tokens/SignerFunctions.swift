internal import JOSE
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Issuing tokens, and the limits of lifetimes.

/// The object of a `ts_signer`.
final class SignerObject: Sendable {
  let signer: TokenSigner
  init(_ signer: TokenSigner) { self.signer = signer }
}

/// Makes a signer of tokens.
///
/// - Parameters:
///   - key: a private key or a secret: a JWK, PEM or DER. Copied and wiped.
///   - keyLength: its bytes.
///   - algorithm: the algorithm, for instance `RS256`; NULL for the one of the key.
///   - lifetimes: the rule of lifetimes, for instance `developer-token` (1 second to 24 hours, 15 minutes by default) or
///     `access-token`; NULL for `developer-token`.
///   - signer: receives the signer, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_signer_create)
public func signerCreate(
  _ key: UnsafePointer<UInt8>?, _ keyLength: UInt, _ algorithm: UnsafePointer<CChar>?,
  _ lifetimes: UnsafePointer<CChar>?, _ signer: UnsafeMutablePointer<SignerHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(signer, "signer")
    let keys = try KeyFile.read(unsafe Arguments.secret(key, keyLength, "key")).keys
    guard keys.count == 1, let key = keys.first else {
      throw CallError.argumentOutOfRange("key", rule: "has \(keys.count) keys and must have one")
    }
    let name = try unsafe Arguments.optionalText(algorithm, "algorithm")
    let chosen = try name.map { name in
      guard let algorithm = Algorithm(name: name) else {
        throw CallError.argumentOutOfRange("algorithm", rule: "is \(name.quoted), which is not supported")
      }
      return algorithm
    }
    let rule = try unsafe lifetimeRule(lifetimes, "lifetimes")
    let made = try TokenSigner(key: key, algorithm: chosen, lifetimes: rule)
    unsafe output.pointee = Handle.make(SignerObject(made))
  }
}

/// Issues a token: signs claims with `iat` and `exp`. Any number of threads may call it with one signer.
///
/// - Parameters:
///   - signer: the signer.
///   - claims: one JSON object, UTF-8. `iat` and `exp` are replaced.
///   - claimsLength: its bytes.
///   - lifetime: the lifetime in seconds; 0 for the default of the signer's rule.
///   - now: the time of issue in seconds since 1970; TS_NOW for the current time.
///   - token: receives the token, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error, also for a lifetime outside of the signer's rule.
@c(ts_signer_issue)
public func signerIssue(
  _ signer: SignerHandle?, _ claims: UnsafePointer<CChar>?, _ claimsLength: UInt, _ lifetime: Int64,
  _ now: Int64, _ token: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(token, "token")
    let object = try unsafe Handle.object(signer, "signer", as: SignerObject.self)
    let document = try JSONDocument(Array(try unsafe Arguments.text(claims, claimsLength, "claims").utf8))
    guard document.kind(at: 0) == .object else {
      throw CallError.argumentOutOfRange("claims", rule: "must be a JSON object")
    }
    let duration: Duration? = lifetime == 0 ? nil : .seconds(lifetime)
    let compact = try object.signer.issue(
      TokenClaims(document.object()), lifetime: duration, at: Instants.date(now))
    unsafe output.pointee = Handle.make(BufferObject(compact))
  }
}

/// Frees a signer and wipes its key. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter signer: the signer, which the caller owns.
@c(ts_signer_free)
public func signerFree(_ signer: SignerHandle?) { unsafe Handle.free(signer, as: SignerObject.self) }

/// Checks a lifetime that is requested for something that grants access.
///
/// - Parameters:
///   - rule: the rule: `developer-token`, `access-token`, `id-token`, `refresh-token`, `web-identity-session`, `access-key-session`,
///     `presigned-url`; NULL for `developer-token`.
///   - requested: the requested seconds; 0 for the default of the rule.
///   - granted: receives the seconds.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_lifetime_check)
public func lifetimeCheck(
  _ rule: UnsafePointer<CChar>?, _ requested: Int64, _ granted: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    guard let granted = unsafe granted else { throw CallError.argumentMissing("granted") }
    unsafe granted.pointee = 0
    let rule = try unsafe lifetimeRule(rule, "rule")
    let duration = try rule.validate(requested: requested == 0 ? nil : .seconds(requested))
    unsafe granted.pointee = duration.wholeSeconds
  }
}

private func lifetimeRule(_ name: UnsafePointer<CChar>?, _ argument: String) throws(CallError) -> LifetimeRule
{
  guard let name = try unsafe Arguments.optionalText(name, argument) else { return .developerToken }
  guard let rule = LifetimeRule.named(name) else {
    let names = LifetimeRule.all.map(\.name)
    throw .argumentOutOfRange(argument, rule: "is \(name.quoted) and must be one of \(names.quotedList)")
  }
  return rule
}
