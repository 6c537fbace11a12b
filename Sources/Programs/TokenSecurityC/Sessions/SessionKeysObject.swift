internal import CognitoIdentityClient
internal import OpenIDConnect
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// The object of a `ts_session_keys`. It starts no thread: keys are asked for by a function of the caller, on the thread that
/// needs them.
final class SessionKeysObject: Sendable {
  private let keys: CallerSessionKeys
  private let milliseconds: UInt32
  /// The function that asks for keys.
  let slot: FetchSlot

  init(
    _ endpoint: IdentityEndpoint, _ credentials: Credentials, capacity: UInt, milliseconds: UInt32,
    trustRoots: String?
  ) throws(CallError) {
    guard capacity <= Self.capacityLimit else {
      throw .argumentOutOfRange(
        "capacity", rule: "is \(capacity); at most \(Self.capacityLimit) are allowed")
    }
    guard milliseconds <= 60_000 else {
      throw .argumentOutOfRange("timeout_ms", rule: "is \(milliseconds); at most 60000 are allowed")
    }
    if let trustRoots, let problem = PolicyDocument.problem(ofRoots: trustRoots) {
      throw .argumentOutOfRange(
        "trust_roots", rule: "is \(trustRoots.quoted), which cannot be used: \(problem)")
    }
    self.milliseconds = milliseconds == 0 ? 10_000 : milliseconds
    keys = CallerSessionKeys(
      endpoint: endpoint, credentials: credentials, limit: Int64(self.milliseconds),
      capacity: capacity == 0 ? 10_000 : Int(capacity))
    slot = FetchSlot(trustRoots: trustRoots)
  }

  private static let capacityLimit: UInt = 10_000_000

  /// Verifies a request with the key of its session.
  ///
  /// - Throws: `SessionRequestError` or `CallError`.
  func verify(
    _ request: RequestObject, _ verifier: RequestVerifier, from address: String?, at now: Timestamp
  ) throws -> SessionRequest<HashBinding> {
    let message = HTTPMessage(head: request.head, body: request.body)
    do throws(CallerSessionError) {
      return try verifier.verify(message, with: keys, from: address, at: now) { slot.current }
    } catch {
      switch error {
      case .request(let error): throw error
      case .transportMissing: throw CallError.fetchFunctionMissing
      case .reentered: throw CallError.fetchReentered
      case .cancelled: throw CallError.fetchCancelled
      case .timedOut: throw CallError.timedOut(milliseconds: milliseconds)
      }
    }
  }
}
