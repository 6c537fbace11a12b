internal import TokenSecurityBase

/// A request that passed all checks but the signature, for which the caller looks up a key.
public struct PendingRequest: Sendable {
  let request: UnverifiedRequest
  /// The instant at which the request was checked.
  let now: Timestamp
  /// The last instant at which the request is valid.
  let end: Timestamp
  /// The same instant on a monotonic clock; nil without a replay guard.
  package var parsed: Instant?

  /// An instant of a monotonic clock. A class, because the size of the clock's own type is not known when
  /// this module is compiled, so that each copy would look it up.
  package final class Instant: Sendable {
    let instant: ContinuousClock.Instant

    package init(_ instant: ContinuousClock.Instant = .now) { self.instant = instant }

    package static func - (left: Instant, duration: Duration) -> Instant {
      Instant(left.instant - duration)
    }
  }

  init(request: UnverifiedRequest, now: Timestamp, skew: Int64, parsed: Instant? = nil) {
    self.request = request
    self.now = now
    end = request.parameters.date.advanced(bySeconds: request.parameters.expiresSeconds ?? skew)
    self.parsed = parsed
  }

  /// The parameters of the signature, which is not verified yet.
  public var parameters: SignatureParameters { request.parameters }

  /// The request as it was received.
  public var head: RequestHead { request.head }

  /// ``now`` and the time that has passed since.
  var present: Timestamp {
    guard let parsed else { return now }
    return now.advanced(bySeconds: (ContinuousClock.now - parsed.instant).components.seconds)
  }

  func canonicalRequest(
    _ policy: VerifierPolicy, payload: UnverifiedRequest.DeclaredPayload
  ) -> CanonicalRequest {
    request.canonicalRequest(
      form: policy.form, sessionToken: policy.sessionToken, plus: policy.plusInQuery, payload: payload)
  }

  func stringToSign(_ canonical: CanonicalRequest, scope: [UInt8]) throws(SigV4Error) -> [UInt8] {
    try request.stringToSign(canonical, scope: scope)
  }

  /// The access key ID and the string to sign: what repetitions have in common. Not the signature: an attacker
  /// can make a second valid one from one of ECDSA.
  func identity(signing text: [UInt8]) -> [UInt8] { Array(parameters.accessKeyID.utf8) + [0x0A] + text }
}

extension UnverifiedRequest {
  func canonicalRequest(
    form: CanonicalForm, sessionToken: SessionTokenPlacement, plus: VerifierPolicy.PlusReading,
    payload: DeclaredPayload
  ) -> CanonicalRequest {
    var excluded: [StaticString] = []
    if parameters.placement == .query {
      excluded = sessionToken == .signed ? ["X-Amz-Signature"] : ["X-Amz-Signature", "X-Amz-Security-Token"]
    }
    let query = CanonicalQuery(
      plus == .space ? CanonicalQuery.readingPlusAsSpace(head.query) : head.query, excluding: excluded)
    return CanonicalRequest(
      head, headers: head.headers, table, .named(parameters.signedNames), query: query, payload: payload.line,
      form: form)
  }

  func stringToSign(_ canonical: CanonicalRequest, scope: [UInt8]) throws(SigV4Error) -> [UInt8] {
    StringToSign.make(
      parameters.algorithm, date: parameters.dateBytes, scope: scope, requestHash: try canonical.digest())
  }
}

extension UnverifiedRequest.DeclaredPayload {
  var line: PayloadLine {
    switch self {
    case .sha256(let hash):
      var digest = InlineArray<32, UInt8>(repeating: 0)
      for index in 0..<min(hash.count, 32) { digest[index] = hash[index] }
      return .hash(digest)
    case .mode(let mode): return .text(mode.name)
    }
  }
}
