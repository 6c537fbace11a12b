internal import TokenLifetime
internal import TokenSecurityBase

/// Changes that were sent, and the records that the service made of them.
struct RecordPush: Sendable {
  let sent: [DatasetRecord]
  let accepted: [DatasetRecord]
  /// The data set's count before.
  let base: Int64

  /// Maximum number of records in a call.
  private static let recordLimit = 1_024
  /// Maximum size in bytes of the keys and values in a call: a full data set.
  private static let sizeLimit = 1 << 20

  /// The changes that are sent next. The service refuses more than fits into a data set. Removals come first, since
  /// they make room for the others.
  static func portion(of changes: [DatasetRecord]) -> [DatasetRecord] {
    let records = changes.filter { $0.value == nil } + changes.filter { $0.value != nil }
    var size = 0
    let portion = records.prefix(recordLimit).prefix { record in
      size += record.size
      return size <= sizeLimit
    }
    return portion.isEmpty ? Array(records.prefix(1)) : Array(portion)
  }

  /// Stores what the service accepted. A record that this device changed in the meantime keeps its value, which the
  /// next synchronisation sends.
  ///
  /// Returns true where the service has no other changes: then the new count is that of this device. Otherwise
  /// others made changes between pull and push, which must be taken first.
  func store(in id: DatasetID, _ rows: any DatasetWriting, at now: Timestamp) throws(SyncClientError) -> Bool
  {
    guard var dataset = try rows.dataset(id), !dataset.isDeletionPending, dataset.lastSyncCount == base else {
      return false
    }
    var before: [ExactString: DatasetRecord] = [:]
    for record in sent { before[ExactString(record.key)] = record }
    for record in accepted {
      guard let was = before.removeValue(forKey: ExactString(record.key)) else {
        throw .responseMalformed(rule: "it has a record that was not sent")
      }
      guard var mine = try rows.record(record.key, of: id) else { continue }
      if mine == was {
        mine = record
      } else {
        mine.isModified = mine.value != record.value || mine.deviceLastModified > record.deviceLastModified
        mine.syncCount = record.syncCount
        mine.lastModified = record.lastModified
        mine.lastModifiedBy = record.lastModifiedBy
      }
      try rows.put(mine, in: id)
    }
    guard before.isEmpty, let count = SyncCounts.afterPush(base: base, accepted: accepted.map(\.syncCount))
    else {
      return false
    }
    dataset.lastSyncCount = count
    dataset.lastModified = now
    try rows.put(dataset)
    return true
  }
}
