internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The key pair of SigV4A, derived from a secret.
///
/// It signs for every region and service until the secret is changed. ``publicKey`` is enough to verify.
public final class ECDSASigningKey: Sendable {
  /// The access key ID that the key belongs to.
  public let accessKeyID: String
  /// The public key.
  public let publicKey: ECDSAPublicKey
  private let maker: SignatureMaker

  /// Derives the pair: HMAC-SHA256 in counter mode (NIST SP 800-108 section 4.1) over a label, the access key
  /// ID and a counter, until the output is at most n - 2; the secret key is that number plus one.
  ///
  /// - Parameter credentials: the secret.
  /// - Throws: `signingKeyUnavailable` when 254 counters fail, which is practically impossible.
  public init(_ credentials: Credentials) throws(SigV4Error) {
    accessKeyID = credentials.accessKeyID
    do {
      var pair: PrivateKey? = nil
      let authenticator = try credentials.secret.withPrefix("AWS4A") { secret throws(CryptoError) in
        try MessageAuthenticator(key: secret, digest: .sha256)
      }
      var counter: UInt8 = 1
      while pair == nil, counter < 255 {
        var input: [UInt8] = [0, 0, 0, 1]
        input.append(SigningAlgorithm.ecdsaP256SHA256.name)
        input.append(0)
        input.append(credentials.accessKeyID)
        // The counter, and the length of the output in bits: 256.
        input.append(contentsOf: [counter, 0, 0, 1, 0])
        pair = try PrivateKey(p256Candidate: authenticator.authenticateSecretly(input.span))
        counter += 1
      }
      guard let pair else { throw SigV4Error.signingKeyUnavailable }
      maker = try SignatureMaker(key: pair, scheme: .ecdsa(.p256, .sha256))
      publicKey = try ECDSAPublicKey(pair.publicKey)
    } catch let error as CryptoError {
      throw SigV4Error(error)
    } catch let error as SigV4Error {
      throw error
    } catch {
      throw .signingKeyUnavailable
    }
  }

  /// The signature over `text`, in DER (RFC 3279 section 2.2.3).
  func sign(_ text: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    do {
      let raw = try maker.sign(text)
      return try ECDSASignature.der(from: raw.span, curve: .p256)
    } catch {
      throw SigV4Error(error)
    }
  }
}

/// The public key of SigV4A, a point on P-256.
public struct ECDSAPublicKey: Sendable {
  /// The x coordinate, 32 bytes, big-endian.
  public let x: [UInt8]
  /// The y coordinate, 32 bytes, big-endian.
  public let y: [UInt8]
  private let checker: SignatureChecker

  /// Creates a key from its coordinates.
  ///
  /// - Parameters:
  ///   - x: the x coordinate, 32 bytes, big-endian.
  ///   - y: the y coordinate, 32 bytes, big-endian.
  /// - Throws: `publicKeyInvalid` for other lengths, and when the coordinates are not a point of the curve.
  public init(x: [UInt8], y: [UInt8]) throws(SigV4Error) {
    do { try self.init(PublicKey(.ellipticCurve(.p256, x: x, y: y))) } catch { throw .publicKeyInvalid }
  }

  init(_ key: PublicKey) throws(CryptoError) {
    guard case .ellipticCurve(.p256, let x, let y) = key.components else { throw .invalidPoint }
    self.x = x
    self.y = y
    checker = try SignatureChecker(key: key, scheme: .ecdsa(.p256, .sha256))
  }

  /// Whether `signature` is a DER signature of `text`. Returns false for malformed or non-minimal DER.
  func check(_ signature: [UInt8], over text: borrowing Span<UInt8>) throws(SigV4Error) -> Bool {
    guard signature.count <= 72, let raw = ECDSASignature.raw(from: signature, curve: .p256) else {
      return false
    }
    do {
      guard try ECDSASignature.der(from: raw.span, curve: .p256) == signature else { return false }
      return try checker.check(raw.span, over: text)
    } catch .signatureRange {
      return false
    } catch {
      throw SigV4Error(error)
    }
  }
}
