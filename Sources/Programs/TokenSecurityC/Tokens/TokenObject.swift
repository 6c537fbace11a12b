internal import JOSE
internal import OpenIDConnect

/// The object of a `ts_token`.
final class TokenObject: Sendable {
  let expiration: Int64
  let claims: LazyText
  let header: LazyText
  let subject: LazyText?
  let issuer: LazyText?
  let keyID: LazyText?

  init(_ token: VerifiedToken) {
    func lazy(_ text: String?) -> LazyText? { text.map { text in LazyText { Array(text.utf8) } } }
    expiration = token.claims.expiration?.seconds ?? .max
    claims = LazyText { token.claims.json }
    header = LazyText { token.header.json }
    subject = lazy(token.claims.subject)
    issuer = lazy(token.claims.issuer)
    keyID = lazy(token.keyID)
  }
}
