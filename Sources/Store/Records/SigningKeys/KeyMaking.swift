internal import JOSE
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension SigningKeyRing {
  /// Takes a key of the maker, and seals it.
  ///
  /// Outside of transactions: it can be slow.
  func newKey(publishedAt now: Timestamp, signsFrom: Timestamp) async throws(Failure) -> Prepared {
    var key: JWK
    do { key = try await maker.key(for: storage.algorithm) } catch let error as JOSEError {
      throw Failure(.token(error))
    } catch {
      throw Failure(.notMade(reason: "\(error)".bounded(to: 256)))
    }
    let keyID: String
    let signer: TokenSigner
    do throws(JOSEError) {
      keyID = storage.keyID(thumbprint: try key.thumbprint())
      key.keyID = keyID
      signer = try TokenSigner(key: key, algorithm: storage.algorithm, type: storage.tokenType)
    } catch {
      throw Failure(.token(error))
    }
    let text: SecretBytes
    do { text = try key.privateJWK() } catch { throw Failure(.token(error)) }
    let stored = StoredSigningKey(
      keyID: keyID, published: now, signsFrom: signsFrom, sealed: try storage.seal(text, keyID: keyID))
    return Prepared(stored: stored, key: key, signer: signer)
  }
}

extension SigningKeyStorage {
  /// Adds a key. A key that is there already is not new: it would sign longer than its period, or again after it was
  /// revoked.
  func add(_ made: StoredSigningKey, in rows: WriteTransaction<Failure>) throws(Failure) {
    guard try !hasKey(made.keyID, in: rows) else {
      throw Failure(.notMade(reason: "the maker returned the key \(made.keyID), which the ring has"))
    }
    try put(made, in: rows)
  }
}
