package import Records

/// A page of a data set's records, as it is in one moment.
package struct RecordPage: Sendable {
  /// The data set; nil if there is none.
  package var dataset: StoredDataset?
  /// The records, one more than the page has where another page follows.
  package var records: [StoredRecord] = []
  /// The names of data sets that were merged beside this one.
  package var mergedNames: [String] = []

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
  ///   - place: the data set.
  ///   - count: the count.
  ///   - token: the token of the previous page.
  ///   - size: the most records of the page.
  /// - Returns: the page. A data set that does not exist has none.
  /// - Throws: `syncCountUnknown` for a count above that of the data set, `nextTokenInvalid`, `storeFailed`.
  package func records(
    of place: DatasetPlace, after count: Int64, page token: String?, size: Int
  ) throws(SyncError) -> RecordPage {
    var page = RecordPage()
    page.mergedNames = try mergedNames(place, limit: CountBounds.ownLimit)
    guard let dataset = try dataset(place) else {
      guard token == nil else { throw .nextTokenInvalid }
      return page
    }
    guard count <= dataset.count else { throw .syncCountUnknown(count) }
    let last = try PagePlace.record(token, in: dataset.id)
    page.dataset = dataset
    page.records = try records(in: dataset.id, after: count, from: last, limit: size + 1)
    return page
  }

  /// Returns what an identity stores.
  ///
  /// - Parameter identity: the identity.
  /// - Returns: the number of data sets, their bytes, and when one was last changed.
  /// - Throws: `storeFailed`.
  package func usage(
    of identity: IdentityPlace
  ) throws(SyncError) -> (count: Int, size: Int, modified: Timestamp?) {
    let all = try datasets(of: identity, limit: CountBounds.ownLimit)
    return (all.count, all.reduce(0) { $0 + $1.size }, all.map(\.modified).max())
  }
}
