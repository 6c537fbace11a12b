package import Records
internal import TokenSecurityBase

/// Handling of data sets whose identity was merged into another one, or removed.
extension WriteTransaction<SyncError> {
  /// Moves the data sets of an identity to the one that it was merged into.
  ///
  /// A data set `NAME` becomes `NAME.IDENTITY` beside the data set `NAME` of the identity that remains, whether that
  /// one exists or not. A data set that came with an earlier merge keeps its name, so that it stays beside the same
  /// one. The identity may have more data sets than its limit afterwards, but not any number: with guests that are
  /// merged one after the other it could get so many that the next merge takes minutes. What has no room stays with
  /// the merged identity, where no call finds it, and is removed with it.
  ///
  /// - Parameters:
  ///   - source: the identity that was merged.
  ///   - destination: the identity that remains.
  ///   - limits: the limits of data sets.
  /// - Throws: `storeFailed`.
  package func moveDatasets(
    of source: IdentityKey, to destination: IdentityKey, limits: SyncLimits
  ) throws(SyncError) {
    let most = limits.mergedDatasets
    var room = most - (try datasetCount(of: destination, limit: most))
    while room > 0 {
      let page = try datasets(of: source, limit: min(room, 100))
      if page.isEmpty { break }
      room -= page.count
      for var dataset in page {
        try delete(SyncTables.datasetKey(dataset.key), from: SyncTables.datasets)
        // Devices are of one identity, and register again.
        try delete(.prefix(RecordKey(dataset.id)), from: SyncTables.subscriptions)
        let isOwn = dataset.mergedBeside == nil
        let name = try freeName(dataset.name, isOwn ? ".\(source.identityID)" : "", of: destination)
        if isOwn { dataset.mergedBeside = dataset.name }
        dataset.name = name
        dataset.identity = destination
        try put(dataset)
      }
    }
    try delete(SyncTables.identityKey(source), from: SyncTables.floors)
  }

  /// A name that no data set of an identity has: the stem and the end, and a number where that is taken.
  private func freeName(
    _ stem: String, _ end: String, of identity: IdentityKey
  ) throws(SyncError) -> String {
    var number = 1
    while true {
      let end = number == 1 ? end : "\(end).\(number)"
      // Names have ASCII characters alone.
      let kept = stem.utf8.prefix(max(1, DatasetKey.longestName - end.utf8.count))
      let name = String(decoding: kept, as: UTF8.self) + end
      let key = DatasetKey(identity, name: name)
      if try !contains(SyncTables.datasets, SyncTables.datasetKey(key)) { return name }
      number += 1
    }
  }

  /// Removes the data sets of an identity. Their records are left to maintenance.
  ///
  /// - Parameter identity: the identity, which was removed.
  /// - Throws: `storeFailed`.
  package func removeDatasets(of identity: IdentityKey) throws(SyncError) {
    while true {
      let page = try datasets(of: identity, limit: 100)
      if page.isEmpty { break }
      for dataset in page { try remove(dataset) }
    }
    // Those that cannot be read.
    try delete(.prefix(SyncTables.identityKey(identity)), from: SyncTables.datasets)
    try delete(SyncTables.identityKey(identity), from: SyncTables.floors)
  }

  /// Removes data sets of a pool that was removed.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - limit: the most data sets.
  /// - Returns: the number of removed data sets; less than `limit` if none is left.
  /// - Throws: `storeFailed`.
  package func removeDatasets(ofPool id: String, limit: Int) throws(SyncError) -> Int {
    let range = KeyRange.prefix(RecordKey(id))
    let page = try scan(SyncTables.datasets, range, limit: limit)
    for dataset in page { try remove(dataset) }
    // Those that cannot be read.
    if page.count < limit { try delete(range, from: SyncTables.datasets) }
    return page.count
  }
}

extension DatasetKey {
  /// Maximum number of characters in a name: 128, a full stop and the id of an identity.
  fileprivate static let longestName = 184
}
