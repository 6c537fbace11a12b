#if RecordsSQLite
  internal import Records
  internal import RecordsSQLite
  internal import TokenLifetime
  internal import TokenSecurityBase

  /// Stores data sets in an SQLite file.
  ///
  ///     let store = try SQLiteDatasetStore(path: "\(folder)/datasets.sqlite")
  ///     let datasets = SyncDatasets(
  ///       identity: provider, endpoint: endpoint, transport: transport, store: store)
  ///
  /// A change that has returned is on the disk: it survives a crash. Only this user can read the file. Its rows are not
  /// encrypted.
  public final class SQLiteDatasetStore: LocalDatasetStore {
    private let store: any RecordStore

    /// Opens a file, or makes it.
    ///
    /// - Parameter path: the file. It and its folder must belong to this user, and no other user may write to them.
    /// - Throws: `storeUnavailable`.
    public init(path: String) throws(SyncClientError) {
      do throws(RecordStoreError) {
        store = try SQLiteRecordStore(
          path: path, tables: DatasetTables.all, readers: 2, cacheSize: 4 << 20)
      } catch {
        throw .storeUnavailable("\(error)")
      }
    }

    /// Reads one state of the store.
    ///
    /// - Parameter body: the reads.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws, and `storeUnavailable`.
    public nonisolated(nonsending) func read<Value: Sendable>(
      _ body: @escaping @Sendable (any DatasetReading) throws(SyncClientError) -> Value
    ) async throws(SyncClientError) -> Value {
      do throws(StoreFailure) {
        return try await store.read(at: .now, .cached) { rows throws(StoreFailure) in
          do throws(SyncClientError) { return try body(RecordReading(rows: rows)) } catch {
            throw StoreFailure(error)
          }
        }
      } catch {
        throw error.reason
      }
    }

    /// Changes the store. When this returns, the changes are on the disk.
    ///
    /// - Parameter body: the reads and changes.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws, and `storeUnavailable`.
    @discardableResult
    public nonisolated(nonsending) func write<Value: Sendable>(
      _ body: @escaping @Sendable (any DatasetWriting) throws(SyncClientError) -> Value
    ) async throws(SyncClientError) -> Value {
      do throws(StoreFailure) {
        return try await store.write(at: .now) { rows throws(StoreFailure) in
          do throws(SyncClientError) { return try body(RecordWriting(rows: rows)) } catch {
            throw StoreFailure(error)
          }
        }
      } catch {
        throw error.reason
      }
    }

    /// Closes the file. Later calls fail.
    ///
    /// - Throws: `storeUnavailable`.
    public nonisolated(nonsending) func close() async throws(SyncClientError) {
      do throws(RecordStoreError) { try await store.close() } catch { throw .storeUnavailable("\(error)") }
    }
  }
#endif
