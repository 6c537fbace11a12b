package import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Changes of a data set's records, all or none of them.
package struct RecordChanges: Sendable {
  /// The data set.
  package let dataset: DatasetKey
  /// The changes, at most one of a key.
  package let patches: [RecordPatch]
  /// Who changes them.
  package let changer: String
  /// The base of the data set whose records were listed.
  package let base: Int64

  package init(_ dataset: DatasetKey, _ patches: [RecordPatch], by changer: String, base: Int64) {
    self.dataset = dataset
    self.patches = patches
    self.changer = changer
    self.base = base
  }

  /// Result of changes.
  package struct Outcome: Sendable {
    /// The data set after the changes.
    package let dataset: StoredDataset
    /// The records, in the order of the patches.
    package let records: [StoredRecord]
  }

  /// The dates that devices may give: without the first and the last day of the years 1 to 9999. Programs that read
  /// dates in a time zone, or round their fractions, cannot read those, and one such record would keep them from
  /// listing the others.
  private static let dates =
    (Timestamp.earliest + .seconds(86_400))...(Timestamp.latest - .seconds(86_400))

  private static func shown(_ patch: RecordPatch) -> String { patch.key.visible(upTo: 128) }

  /// Checks what needs no store: no key twice, a value for each record that gets one, and dates that all clients can
  /// read.
  ///
  /// - Throws: `parameterRefused`.
  package func check() throws(SyncError) {
    var keys: Set<ExactString> = []
    for patch in patches {
      guard keys.insert(ExactString(patch.key)).inserted else {
        throw .parameterRefused("RecordPatches", rule: "it has two changes of the key \(Self.shown(patch))")
      }
      guard patch.change == .remove || patch.value != nil else {
        throw .parameterRefused(
          "RecordPatches", rule: "the change of \(Self.shown(patch)) has the Op replace and no Value")
      }
      if let date = patch.deviceModified, !Self.dates.contains(date) {
        throw .parameterRefused(
          "RecordPatches", rule: "the DeviceLastModifiedDate \(date) is at the end of the calendar")
      }
    }
  }
}

extension WriteTransaction<SyncError> {
  /// Changes records. The first change makes the data set.
  ///
  /// - Parameters:
  ///   - changes: the changes, which were checked.
  ///   - limits: the limits of data sets.
  /// - Returns: the data set and its changed records.
  /// - Throws: `datasetReplaced` where the data set that was listed is gone, `recordConflict` where a record has another
  ///   count than its patch, `datasetsFull`, `recordsFull`, `datasetTooLarge`, `storeFailed`.
  package func update(
    _ changes: RecordChanges, limits: SyncLimits
  ) throws(SyncError) -> RecordChanges.Outcome {
    var dataset: StoredDataset
    if let stored = try self.dataset(changes.dataset) {
      // Without this, a call that is repeated after a deletion would make the data set again.
      guard stored.base == changes.base else { throw .datasetReplaced(changes.dataset.name) }
      dataset = stored
    } else {
      dataset = try newDataset(changes, limits: limits)
    }
    let before = dataset
    dataset.count += 1
    dataset.modified = now
    dataset.modifiedBy = changes.changer
    var records: [StoredRecord] = []
    records.reserveCapacity(changes.patches.count)
    for patch in changes.patches { records.append(try change(patch, &dataset)) }
    try limits.check(dataset, before: before)
    for record in records { try put(record) }
    try put(dataset)
    return RecordChanges.Outcome(dataset: dataset, records: records)
  }

  private func newDataset(_ changes: RecordChanges, limits: SyncLimits) throws(SyncError) -> StoredDataset {
    let key = changes.dataset
    let broken = Violation.of(key.name, "datasetName", .newDatasetName)
    guard broken.isEmpty else { throw .request(.validation(broken)) }
    guard try datasetCount(of: key.identity, limit: limits.datasets) < limits.datasets else {
      throw .datasetsFull(limit: limits.datasets)
    }
    let base = try floor(of: key.identity)
    guard base == changes.base else { throw .datasetReplaced(key.name) }
    let id = try SyncError.crypto { () throws(CryptoError) in try UUIDText.random() }
    return StoredDataset(id: id, key, base: base, by: changes.changer, at: now)
  }

  /// The record after a patch, which is not stored yet.
  private func change(_ patch: RecordPatch, _ dataset: inout StoredDataset) throws(SyncError) -> StoredRecord
  {
    let current = try record(patch.key, in: dataset.id)
    guard patch.syncCount == current?.count ?? 0 else {
      throw .recordConflict(key: patch.key, current: current?.count ?? 0, given: patch.syncCount)
    }
    let record = StoredRecord(
      datasetID: dataset.id, key: patch.key, value: patch.change == .remove ? nil : patch.value,
      count: dataset.count, modified: now, modifiedBy: dataset.modifiedBy,
      deviceModified: patch.deviceModified ?? now)
    dataset.add(current, times: -1)
    dataset.add(record, times: 1)
    return record
  }
}

extension StoredDataset {
  /// Counts a record and its size, or with -1 counts them no more.
  fileprivate mutating func add(_ record: StoredRecord?, times number: Int) {
    guard let record else { return }
    // Not below 0, which a damaged row would lead to: it could not be read again.
    size = max(0, size + number * record.size)
    if record.value == nil {
      removedCount = max(0, removedCount + number)
    } else {
      recordCount = max(0, recordCount + number)
    }
  }
}

extension SyncLimits {
  /// Checks a changed data set. What it had before may stay: a change that makes nothing larger is never refused.
  fileprivate func check(_ dataset: StoredDataset, before: StoredDataset) throws(SyncError) {
    guard dataset.recordCount <= max(records, before.recordCount) else { throw .recordsFull(limit: records) }
    guard dataset.keyCount <= max(keys, before.keyCount) else { throw .recordsFull(limit: keys) }
    guard dataset.size <= max(size, before.size) else {
      throw .datasetTooLarge(size: dataset.size, limit: size)
    }
  }
}
