internal import CognitoIdentityClient
internal import CognitoSyncClient
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// An identity that tests change.
final class TestIdentity: SyncIdentity {
  let poolID = LocalSync.poolID
  private let state: Mutex<(known: String?, next: String?)>

  /// - Parameters:
  ///   - known: the identity that is known without a call.
  ///   - next: the identity that a call finds; nil where there is no network.
  init(_ known: String?, next: String? = nil) { state = Mutex((known, next)) }

  func set(_ known: String?, next: String? = nil) { state.withLock { $0 = (known, next) } }

  func knownIdentityID() async -> String? { state.withLock { $0.known } }

  func identityID() async throws(IdentityClientError) -> String {
    let id = state.withLock { state -> String? in
      state.known = state.known ?? state.next
      return state.known
    }
    guard let id else { throw .unreachable("there is no network") }
    return id
  }

  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
    let secret = "secret"
    do throws(SigV4Error) {
      return try Credentials(
        accessKeyID: "ASIAEXAMPLE", secretAccessKey: SecretBytes(secret.utf8.span), sessionToken: "token")
    } catch {
      throw .unusable(error)
    }
  }
}

extension SettableClock {
  /// The time, a millisecond later each time that it is read.
  var tick: Timestamp { Timestamp(seconds: 1_800_000_000) + advance(by: .milliseconds(1)) }
}

/// Which calls are lost: reproducible.
struct FaultGenerator: Sendable {
  enum Fault { case request, response }

  private var generator: SeededGenerator
  /// Of a thousand calls.
  private let requests, responses: Int

  init(seed: UInt64, requests: Int, responses: Int) {
    generator = SeededGenerator(seed: seed)
    (self.requests, self.responses) = (requests, responses)
  }

  mutating func next() -> Fault? {
    let number = Int.random(in: 0..<1_000, using: &generator)
    if number < requests { return .request }
    return number < requests + responses ? .response : nil
  }
}

/// Expects an error with this code.
func expectSyncError(
  _ code: SyncClientError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  await #expect(sourceLocation: sourceLocation) {
    try await body()
  } throws: {
    ($0 as? SyncClientError)?.code == code
  }
}
