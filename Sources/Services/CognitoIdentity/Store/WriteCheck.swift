package import Records
internal import TokenLifetime

extension WriteHealth {
  /// A name that no call has: those of calls are digests of another length.
  private static let name = Array("write check".utf8)

  /// Tries a write, if one has failed and the interval has passed.
  ///
  /// - Parameter store: the store of a service, with the tables of identity pools.
  /// - Returns: why the store cannot be written; nil where it can.
  package nonisolated(nonsending) func problem(of store: any RecordStore) async -> RecordStoreError? {
    await problem { () throws(RecordStoreError) in
      try await store.write { rows throws(RecordStoreError) in
        // The row is gone when the transaction ends. No table is added, so that older nodes run on.
        let row = StoredCall(name: Self.name, invocation: [], address: [], started: rows.now)
        try rows.put(row, in: IdentityTables.calls)
        try rows.delete(RecordKey(Self.name), from: IdentityTables.calls)
      }
    }
  }
}
