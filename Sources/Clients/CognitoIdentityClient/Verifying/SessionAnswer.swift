internal import AccessPolicies
internal import ServiceOperations
internal import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The answer for a session, as it is kept.
///
/// One reference: it is kept ten thousand times.
enum SessionAnswer: Sendable {
  case valid(KnownSession)
  /// From when and until when the service is not asked again.
  indirect case refused(message: String, from: Timestamp, until: Timestamp)
  indirect case failed(IdentityClientError)

  /// Until when it is kept; nil for a failure, which is not. A valid one is kept longer than it serves: strangers cannot make
  /// its token up.
  var kept: Timestamp? {
    switch self {
    case .valid(let session): session.expiration
    case .refused(_, _, let until): until
    case .failed: nil
    }
  }

  var isValid: Bool { if case .valid = self { true } else { false } }

  /// The end is not in it: a session is not valid any more in the second in which it ends. Before the time of the question,
  /// the clock was set back.
  func isFresh(at now: Timestamp) -> Bool {
    switch self {
    case .valid(let session): now >= session.asked && now < session.end
    case .refused(_, let from, let until): now >= from && now < until
    case .failed: false
    }
  }

  /// Reads an answer.
  ///
  /// - Throws: `responseMalformed`.
  init(
    _ output: GetScopedSigningKey.Output, _ asked: SessionKeyQuestion.Asked, sharing parts: SharedParts,
    at now: Timestamp
  ) throws(IdentityClientError) {
    let key = try KnownSession.Key(output, isAsymmetric: asked.day == nil)
    let fresh = now.advanced(bySeconds: max(0, output.maximumAge))
    self = .valid(
      KnownSession(
        key, SessionContent(output, sharing: parts), .shared(output, parts), expiration: output.expiration,
        asked: now, end: min(fresh, output.expiration)))
  }
}

/// A session whose key is kept.
final class KnownSession: Sendable {
  enum Key: ~Copyable, Sendable {
    case hmac(SecretBytes)
    case ecdsa(x: [UInt8], y: [UInt8])

    fileprivate init(
      _ output: GetScopedSigningKey.Output, isAsymmetric: Bool
    ) throws(IdentityClientError) {
      guard !isAsymmetric else {
        guard let point = output.publicKey else { throw .responseMalformed(rule: "it has no PublicKey") }
        self = .ecdsa(x: point.x.bytes, y: point.y.bytes)
        return
      }
      guard let text = output.signingKey else { throw .responseMalformed(rule: "it has no SigningKey") }
      var bytes = text.withBytes { text in (try? Base64.decode(text)) ?? [] }
      let key = SecretBytes(wiping: &bytes)
      guard key.count == ScopedSigningKey.size else {
        throw .responseMalformed(rule: "SigningKey is not \(ScopedSigningKey.size) bytes in base64")
      }
      self = .hmac(key)
    }
  }

  private let key: Key
  let content: SessionContent
  let policies: SessionPolicies
  let expiration: Timestamp
  /// From when and until when it may be used.
  let asked, end: Timestamp

  fileprivate init(
    _ key: consuming Key, _ content: SessionContent, _ policies: SessionPolicies, expiration: Timestamp,
    asked: Timestamp, end: Timestamp
  ) {
    self.key = key
    self.content = content
    self.policies = policies
    self.expiration = expiration
    self.asked = asked
    self.end = end
  }

  /// The values of a session that has made requests lately, so that they are not read for each of them.
  final class Prepared: Sendable {
    let key: VerificationKey
    let identity: SessionIdentity
    let principal: AccessPrincipal
    let context: AccessContext
    let policies: SessionPolicies

    fileprivate init(
      _ key: VerificationKey, _ session: VerifiedSession, _ context: AccessContext,
      _ policies: SessionPolicies, _ expiration: Timestamp
    ) {
      self.key = key
      self.policies = policies
      self.context = context
      identity = SessionIdentity(session, ends: expiration)
      principal = .aws(session.arn, parent: session.roleARN)
    }
  }

  private let latest = Mutex<Prepared?>(nil)

  /// The values for a request of the session, and whether they were read for it.
  ///
  /// - Throws: `signature` for a key of another scope; `unavailable` for a content that cannot be read, which this type has
  ///   written.
  func prepared(
    _ parameters: SignatureParameters
  ) throws(SessionRequestError) -> (values: Prepared, isNew: Bool) {
    if let known = latest.withLock({ $0 }) { return (known, false) }
    let key = try SessionRequestError.converting { () throws(SigV4Error) in
      try verificationKey(parameters)
    }
    guard let (session, context) = content.values() else {
      throw .unavailable(.responseMalformed(rule: "its kept content cannot be read"))
    }
    let values = Prepared(key, session, context, policies, expiration)
    latest.withLock { $0 = values }
    return (values, true)
  }

  /// Keeps the content alone.
  func forgetValues() { latest.withLock { $0 = nil } }

  private func verificationKey(_ parameters: SignatureParameters) throws(SigV4Error) -> VerificationKey {
    switch key {
    case .hmac(let secret):
      .scoped(
        try ScopedSigningKey(
          storedBytes: secret.clone(), accessKeyID: parameters.accessKeyID, scope: parameters.scope))
    case .ecdsa(let x, let y): .publicKey(try ECDSAPublicKey(x: x, y: y))
    }
  }
}
