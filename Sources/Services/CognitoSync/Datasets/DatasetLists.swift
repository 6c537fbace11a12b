package import Records

/// A page of a data set's records, as it is in one moment.
package struct RecordPage: Sendable {
  /// The data set; nil if not found.
  package var dataset: StoredDataset?
  /// The base of the data set; where there is none, the one that it would get now.
  package var base: Int64 = 0
  /// The records.
  package var records: [StoredRecord] = []
  /// True where another page follows.
  package var hasMore = false
  /// The names of data sets that were merged beside this one.
  package var mergedNames: [String] = []

  /// The bytes of JSON after which a page ends. A page has at least one record.
  private static let sizeLimit = 1 << 20

  /// How many of the first records fit into a page.
  fileprivate static func fitting(_ records: [StoredRecord]) -> Int {
    var size = 0
    for (index, record) in records.enumerated() {
      size += record.sizeAsJSON
      if size > sizeLimit { return max(1, index) }
    }
    return records.count
  }

  /// True where the data set that had this count was deleted. There may be another one of its name.
  package func isDeleted(after count: Int64) -> Bool {
    guard count > 0 else { return false }
    return dataset.map { count <= $0.base } ?? true
  }
}

extension ReadTransaction<SyncError> {
  /// Returns the records of a data set that were changed after a count.
  ///
  /// - Parameters:
  ///   - key: the data set.
  ///   - count: the count.
  ///   - token: the token of the previous page.
  ///   - size: the most records of the page. It has fewer where they would have more than about 1 MiB as JSON.
  /// - Returns: the page. A data set that does not exist has none.
  /// - Throws: `syncCountUnknown` for a count above that of the data set, `nextTokenInvalid`, `storeFailed`.
  package func records(
    of key: DatasetKey, after count: Int64, page token: String?, size: Int
  ) throws(SyncError) -> RecordPage {
    var page = RecordPage()
    page.mergedNames = try mergedNames(key, limit: CountBounds.ownLimit)
    guard let dataset = try dataset(key) else {
      guard token == nil else { throw .nextTokenInvalid }
      page.base = try floor(of: key.identity)
      return page
    }
    guard count <= dataset.count else { throw .syncCountUnknown(count) }
    let last = try PageToken.record(token, in: dataset.id)
    page.dataset = dataset
    page.base = dataset.base
    let found = try records(in: dataset.id, after: count, from: last, limit: size + 1)
    page.records = Array(found.prefix(min(size, RecordPage.fitting(found))))
    page.hasMore = page.records.count < found.count
    return page
  }

  /// Returns what an identity stores.
  ///
  /// - Parameter identity: the identity.
  /// - Returns: the number of data sets, their bytes, and when one was last changed.
  /// - Throws: `storeFailed`.
  package func usage(
    of identity: IdentityKey
  ) throws(SyncError) -> (count: Int, size: Int, modified: Timestamp?) {
    let all = try datasets(of: identity, limit: CountBounds.ownLimit)
    return (all.count, all.reduce(0) { $0 + $1.size }, all.map(\.modified).max())
  }
}
