internal import JOSE

// Contents of a verified token.

/// The claims of a verified token: the JSON text that was signed.
///
/// - Parameters:
///   - token: the token. Several threads may read it.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: a text that belongs to the token. NULL for NULL.
@c(ts_token_claims)
public func tokenClaims(_ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<CChar>?
{
  unsafe text(token, length) { $0.claims }
}

/// The header of a verified token: the JSON text that was signed.
///
/// - Parameters:
///   - token: the token. Several threads may read it.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: a text that belongs to the token. NULL for NULL.
@c(ts_token_header)
public func tokenHeader(_ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<CChar>?
{
  unsafe text(token, length) { $0.header }
}

/// The subject (`sub`) of a verified token. It can contain zero bytes; `length` counts all bytes.
///
/// - Parameters:
///   - token: the token. Several threads may read it.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: a text that belongs to the token. NULL if the token has none.
@c(ts_token_subject)
public func tokenSubject(_ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<
  CChar
>? {
  unsafe text(token, length) { $0.subject }
}

/// The issuer (`iss`) of a verified token.
///
/// - Parameters:
///   - token: the token. Several threads may read it.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: a text that belongs to the token. NULL if the token has none.
@c(ts_token_issuer)
public func tokenIssuer(_ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<CChar>?
{
  unsafe text(token, length) { $0.issuer }
}

/// The id (`kid`) of the key that verified the signature.
///
/// - Parameters:
///   - token: the token. Several threads may read it.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: a text that belongs to the token. NULL if the key has none.
@c(ts_token_key_id)
public func tokenKeyID(_ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<CChar>?
{
  unsafe text(token, length) { $0.keyID }
}

/// The time from which a verified token is refused (`exp`), in seconds since 1970.
///
/// - Parameter token: the token.
/// - Returns: the time; INT64_MAX if the token has none, 0 for NULL.
@c(ts_token_expiration)
public func tokenExpiration(_ token: TokenHandle?) -> Int64 {
  (try? unsafe Handle.object(token, "token", as: TokenObject.self).expiration) ?? 0
}

/// Frees a verified token. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter token: the token, which the caller owns.
@c(ts_token_free)
public func tokenFree(_ token: TokenHandle?) { unsafe Handle.free(token, as: TokenObject.self) }

private func text(
  _ token: TokenHandle?, _ length: UnsafeMutablePointer<UInt>?, _ part: (TokenObject) -> LazyText?
) -> UnsafePointer<CChar>? {
  unsafe length?.pointee = 0
  guard let object = try? unsafe Handle.object(token, "token", as: TokenObject.self),
    let found = part(object)
  else { return nil }
  return unsafe give(found.text, length)
}
