internal import Dispatch
public import JOSE
internal import TokenSecurityCrypto

/// The source of a ring's private keys: libcrypto, spares, or a key management service.
///
/// A ring checks each key before it stores it, sealed, and signs tokens with it in this process. A maker therefore
/// returns private keys that may leave the system which made them, such as those of `GenerateDataKeyPair` of AWS KMS:
///
///     let maker = SigningKeyMaker { _ in
///       try KeyFile.der(try await keyManagement.generateDataKeyPair())
///     }
///
/// A key that cannot be exported does not fit, nor do signatures that an HSM makes.
public struct SigningKeyMaker: Sendable {
  private let make: @Sendable (_ algorithm: Algorithm, _ isSpare: Bool) async throws -> JWK

  private init(body make: @escaping @Sendable (Algorithm, Bool) async throws -> JWK) { self.make = make }

  /// Makes a maker of a function.
  ///
  /// - Parameter make: returns a private key for an algorithm, and never a key that it has returned before. It must have
  ///   a time limit: all calls that need the key wait for it. If it throws, they fail, and the log has the error's text.
  public init(_ make: @escaping @Sendable (_ algorithm: Algorithm) async throws -> JWK) {
    self.init(body: { algorithm, _ in try await make(algorithm) })
  }

  /// Generates keys with libcrypto. Keys of RSA have 2,048 bits.
  ///
  /// Two threads of low priority, one for calls and one for spares, make one key at a time: an RSA key takes long, and
  /// event loops and Swift's thread pool serve calls.
  public static let generating = {
    let forCalls = DispatchQueue(label: "SigningKeys.making", qos: .utility)
    // Not of the lowest priority: an exit waits for the spare that is being made, for a second at most.
    let forSpares = DispatchQueue(label: "SigningKeys.spares", qos: .utility)
    return SigningKeyMaker(body: { algorithm, isSpare in
      let made: Result<JWK, JOSEError> = await withCheckedContinuation { continuation in
        (isSpare ? forSpares : forCalls).async {
          continuation.resume(
            returning: Result { () throws(JOSEError) in
              try BackgroundUse.run { () throws(JOSEError) in
                try JWK.generate(algorithm, rsaBits: rsaBits.lowerBound)
              }
            })
        }
      }
      return try made.get()
    })
  }()

  /// The sizes of RSA keys. Larger ones sign slowly, and many verifiers refuse them.
  private static let rsaBits = 2_048...4_096

  /// Makes a key, and checks it.
  ///
  /// - Parameters:
  ///   - algorithm: the algorithm of the signatures.
  ///   - isSpare: whether no call waits for the key.
  /// - Returns: the key, for signatures with the algorithm only. It has no id and no certificates.
  /// - Throws: a `JOSEError` for a public or shared key, a key for another algorithm or use, and an RSA key of another
  ///   size; the maker's own errors; `CancellationError` at once where the task is cancelled. A key that is being made then is
  ///   dropped when it is there: on a busy machine an RSA key takes seconds, for which no shutdown should wait.
  package func key(for algorithm: Algorithm, isSpare: Bool = false) async throws -> JWK {
    let made = try await made(algorithm, isSpare)
    guard made.kind != .symmetric else {
      throw JOSEError.keyTypeMismatch(kid: made.keyID, algorithm: algorithm)
    }
    _ = try JWSSigner(key: made, algorithm: algorithm)
    guard made.kind != .rsa || Self.rsaBits.contains(made.bits) else {
      throw JOSEError.rsaModulusSize(bits: made.bits, allowed: Self.rsaBits)
    }
    return JWK(material: made.material, use: "sig", algorithmName: algorithm.name)
  }

  private func made(_ algorithm: Algorithm, _ isSpare: Bool) async throws -> JWK {
    let (results, output) = AsyncStream<Result<JWK, any Error>>.makeStream()
    let making = Task { [make] in
      do { output.yield(.success(try await make(algorithm, isSpare))) } catch {
        output.yield(.failure(error))
      }
      output.finish()
    }
    var iterator = results.makeAsyncIterator()
    guard let result = await iterator.next() else {
      making.cancel()
      throw CancellationError()
    }
    return try result.get()
  }
}
