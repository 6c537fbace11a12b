public import JOSE
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// The nonces of DPoP proofs (RFC 9449 sections 8 and 9): times that are authenticated with a key. Nothing is stored, so
/// that several sidecars with one key accept each other's nonces.
public struct ProofNonces: Sendable {
  private let authenticator: MessageAuthenticator

  /// The time for which a nonce is accepted.
  static let lifetime = Duration.seconds(300)
  /// The accepted difference of the clocks of two sidecars.
  private static let leeway = Duration.seconds(5)
  /// Bytes of the authentication code.
  private static let codeSize = 16
  private static let timeSize = 8
  /// The fewest bytes of a key.
  public static let shortestKey = 32

  /// Makes nonces of a key.
  ///
  /// - Parameter key: at least 32 bytes, which nobody else knows.
  /// - Throws: `policyInvalid` for a shorter key; `library`.
  public init(key: borrowing SecretBytes) throws(JOSEError) {
    guard key.count >= Self.shortestKey else {
      throw .policyInvalid(
        rule: "the key of nonces has \(key.count) bytes; at least \(Self.shortestKey) are needed")
    }
    do throws(CryptoError) { authenticator = try MessageAuthenticator(key: key, digest: .sha256) } catch {
      throw JOSEError(error)
    }
  }

  /// The nonce of a time; nil if libcrypto fails.
  package func make(at now: NumericDate) -> String? {
    let time = Self.bytes(now.seconds)
    guard let code = code(of: time) else { return nil }
    return Base64URL.string(time + code)
  }

  /// Whether a nonce is accepted.
  package enum State: Sendable, Hashable {
    case fresh
    /// It is accepted, and the next proof should have another.
    case ageing
    case refused
  }

  /// Checks the nonce of a proof.
  package func check(_ nonce: String, at now: NumericDate) -> State {
    guard nonce.utf8.count == (Self.timeSize + Self.codeSize) * 4 / 3,
      let bytes = try? Base64URL.decode(nonce), let expected = code(of: Array(bytes.prefix(Self.timeSize))),
      ConstantTime.areEqual(bytes.span.extracting(Self.timeSize...), expected.span)
    else { return .refused }
    let seconds = Int64(bigEndianBytes: bytes.prefix(Self.timeSize))
    let age = now.seconds.saturatingDifference(seconds)
    guard age >= -Self.leeway.wholeSeconds, age <= Self.lifetime.wholeSeconds else { return .refused }
    return age * 2 > Self.lifetime.wholeSeconds ? .ageing : .fresh
  }

  private func code(of time: [UInt8]) -> [UInt8]? {
    let message = Array("DPoP nonce".utf8) + time
    return (try? authenticator.authenticate(message.span)).map { Array($0.prefix(Self.codeSize)) }
  }

  private static func bytes(_ seconds: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: seconds >> Int64(56 - 8 * $0)) }
  }
}
