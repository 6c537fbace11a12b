internal import JOSE
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase

/// Loads keys from the store: changes may be those of other processes.
extension SigningKeyRing {
  /// The least time between loads for tokens with unknown keys. Their callers are not authenticated.
  private static var loadInterval: Duration { .milliseconds(250) }

  func read(_ freshness: ReadFreshness) async throws(Failure) -> [StoredSigningKey] {
    let storage = storage
    return try await store.read(at: .now, freshness) { rows throws(Failure) in try storage.keys(in: rows) }
  }

  /// Loads keys that other processes have changed, as the store's cache shows them.
  ///
  /// - Throws: the failure of the storage.
  public func update() async throws(Failure) {
    let stored = try await read(.cached)
    // The cache may be older than the keys that this process has loaded.
    if stored != self.stored { try await reload() }
  }

  /// Loads keys after a token with an unknown key was seen: another process may have published it.
  ///
  /// The load begins after this call, so that it finds each key that has signed a token by then. Loads begin at
  /// some distance from each other, by the ring's clock; the calls in between share one.
  ///
  /// - Throws: the failure of the storage.
  package func loadUnknownKeys() async throws(Failure) {
    let load = state.withLock { state in
      if let next = state.nextLoad { return next }
      let pause = state.lastLoad.map { $0 + Self.loadInterval - elapsed() } ?? .zero
      let load = Task { () -> Result<Void, Failure> in
        if pause > .zero { try? await timers.sleep(for: pause) }
        self.state.withLock { state in
          state.nextLoad = nil
          state.lastLoad = elapsed()
        }
        do throws(Failure) { return .success(try await self.reload()) } catch { return .failure(error) }
      }
      state.nextLoad = load
      return load
    }
    try await load.value.get()
  }

  /// Returns true where a key was neither revoked nor removed by any process.
  package func isPublished(_ keyID: String) async throws(Failure) -> Bool {
    let storage = storage
    return try await store.read(at: .now, .fresh) { rows throws(Failure) in
      try storage.hasKey(keyID, in: rows)
    }
  }

  /// Loads the stored keys. Of a key that this process has just made, the private key is here already.
  func reload(_ made: Prepared? = nil) async throws(Failure) {
    let load = state.withLock { state in
      state.loads.begun += 1
      return state.loads.begun
    }
    let stored = try await read(.fresh)
    let (known, isNew) = state.withLock { state in
      // A load that began later has later keys.
      guard load > state.loads.applied else { return (state.keys, false) }
      let isNew = state.keys.map(\.stored) != stored
      if !isNew { state.loads.applied = load }
      return (state.keys + (made.map { [$0] } ?? []), isNew)
    }
    guard isNew else { return }
    var keys: [Prepared] = []
    for entry in stored {
      if let same = known.first(where: { $0.stored == entry }) {
        keys.append(same)
        continue
      }
      guard let text = try storage.open(entry.sealed, keyID: entry.keyID) else {
        throw Failure(.notOpened(keyID: entry.keyID))
      }
      do throws(JOSEError) {
        let key = try JWK(json: text)
        keys.append(
          Prepared(
            stored: entry, key: key,
            signer: try TokenSigner(key: key, algorithm: storage.algorithm, type: storage.tokenType)))
      } catch {
        throw Failure(.token(error))
      }
    }
    let verifying: PreparedKeys
    do { verifying = try PreparedKeys(JWKSet(keys.compactMap(\.key.publicOnly))) } catch {
      throw Failure(.token(error))
    }
    state.withLock { state in
      guard load > state.loads.applied else { return }
      state.loads.applied = load
      state.keys = keys
      state.verifying = .keys(verifying)
    }
  }
}
