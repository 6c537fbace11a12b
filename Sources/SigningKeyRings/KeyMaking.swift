internal import Dispatch
internal import JOSE
internal import TokenLifetime
internal import TokenSecurityCrypto

/// Makes keys on a thread of its own, one at a time: an RSA key takes long, and event loops and Swift's thread
/// pool serve calls.
enum KeyMaking {
  private static let queue = DispatchQueue(label: "SigningKeyRings.making", qos: .utility)

  /// Makes a key of 2,048 bits and seals it.
  static func make<Place: SigningKeyStorage>(
    for place: Place, publishedAt now: Timestamp, signsFrom: Timestamp
  ) async throws(Place.Failure) -> StoredSigningKey {
    let made: Result<StoredSigningKey, Place.Failure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: Result { () throws(Place.Failure) in
            try sealedKey(for: place, publishedAt: now, signsFrom: signsFrom)
          })
      }
    }
    return try made.get()
  }

  private static func sealedKey<Place: SigningKeyStorage>(
    for place: Place, publishedAt now: Timestamp, signsFrom: Timestamp
  ) throws(Place.Failure) -> StoredSigningKey {
    var key: JWK
    let text: SecretBytes
    do throws(JOSEError) {
      key = try JWK.generate(for: place.algorithm, rsaBits: 2_048)
      key.keyID = place.keyID(thumbprint: try key.thumbprint())
      text = try key.privateJWK()
    } catch {
      throw Place.Failure(.token(error))
    }
    let keyID = key.keyID ?? ""
    return StoredSigningKey(
      keyID: keyID, published: now, signsFrom: signsFrom, sealed: try place.seal(text, keyID: keyID))
  }
}
