internal import JOSE
internal import Synchronization

/// A verifier that is made once, when it is first needed. Meanwhile only those wait who need the same one.
final class VerifierOnDemand: Sendable {
  private let make: @Sendable () throws -> TokenVerifier
  private let made = Mutex<Result<TokenVerifier, UsageError>?>(nil)

  /// - Parameter make: makes the verifier. It may fetch keys.
  init(_ make: @escaping @Sendable () throws -> TokenVerifier) {
    self.make = make
  }

  /// The verifier.
  ///
  /// - Throws: why it could not be made, which the first call also writes to standard error.
  func verifier() throws(UsageError) -> TokenVerifier {
    let result = made.withLock { made in
      if let made { return made }
      let result: Result<TokenVerifier, UsageError>
      do { result = .success(try make()) } catch {
        let failure = error as? UsageError ?? UsageError("\(error)", code: UsageError.keysUnusable)
        StandardError.write("verify-token: \(failure.message)\n")
        result = .failure(failure)
      }
      made = result
      return result
    }
    return try result.get()
  }
}
