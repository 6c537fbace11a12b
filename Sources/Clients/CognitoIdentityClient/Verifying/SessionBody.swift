package import SigV4
package import TokenLifetime

/// A request of a session whose body arrives in pieces, none of which is kept.
package struct SessionBody: ~Copyable, Sendable {
  private let verifier: RequestVerifier
  private let values: KnownSession.Prepared
  private let address: String?
  private let now: Timestamp
  private var body: BodyVerifier

  fileprivate init(
    _ verifier: RequestVerifier, _ values: KnownSession.Prepared, from address: String?, at now: Timestamp,
    _ body: consuming BodyVerifier
  ) {
    self.verifier = verifier
    self.values = values
    self.address = address
    self.now = now
    self.body = body
  }

  /// Reads a piece of the body.
  ///
  /// - Throws: `signature`.
  package mutating func read(_ piece: [UInt8]) throws(SessionRequestError) {
    do throws(SigV4Error) { _ = try body.read(piece) } catch { throw .signature(error) }
  }

  /// Checks that the body is the one that the signature covers.
  ///
  /// - Returns: the request and its session.
  /// - Throws: as `verify(_:with:from:at:)` of `RequestVerifier`.
  package consuming func finish() throws(SessionRequestError) -> SessionRequest<StreamBinding> {
    let (verifier, values, address, now) = (verifier, values, address, now)
    let request: VerifiedRequest<StreamBinding>
    do throws(SigV4Error) { request = try body.finish().request } catch { throw .signature(error) }
    return try verifier.sessionRequest(request, values, from: address, at: now)
  }
}

extension RequestVerifier {
  /// Verifies a request whose body arrives in pieces, with the key of its session. The checks that need no body come first, so
  /// that nothing need be read of the body of a stranger's request.
  ///
  /// - Parameters:
  ///   - head: the request without its body.
  ///   - keys: the keys of sessions.
  ///   - address: the client's address, for policies. Default: unknown.
  ///   - now: the current time.
  /// - Returns: what reads the body. Where a header has the body's hash, the signature is verified already.
  /// - Throws: as `verify(_:with:from:at:)`.
  package func verifyBody(
    _ head: RequestHead, with keys: SessionKeys, from address: String? = nil, at now: Timestamp = .now
  ) async throws(SessionRequestError) -> SessionBody {
    let pending = try SessionRequestError.converting { () throws(SigV4Error) in try parse(head, at: now) }
    let values = try await keys.values(of: pending.parameters, region: policy.region, from: address, at: now)
    guard let values else { throw .signature(.accessKeyUnknown(pending.parameters.accessKeyID)) }
    let body: BodyVerifier
    do throws(SigV4Error) {
      body = try verifyBody(pending, key: values.key, release: .immediately, remembersAtEnd: true)
    } catch {
      throw .signature(error)
    }
    return SessionBody(self, values, from: address, at: now, body)
  }
}
