package import TokenLifetime

/// A data set of an identity. Its records refer to its id, so that a data set that moves to another identity takes
/// them along.
package struct StoredDataset: Sendable {
  /// A random id, which no other data set ever has.
  package let id: String
  /// The identity. Another one's after a merge.
  package var identity: IdentityPlace
  /// The name. Another one after a merge.
  package var name: String
  /// When it was made.
  package let created: Timestamp
  /// When a record was last changed.
  package var modified: Timestamp
  /// Who last changed a record.
  package var modifiedBy: String
  /// The count of the last change.
  package var count: Int64
  /// The count before the first change. Lower counts belong to data sets that were deleted before.
  package let base: Int64
  /// The number of records that have values.
  package var recordCount = 0
  /// The number of records that were removed.
  package var removedCount = 0
  /// The bytes of all keys and values.
  package var size = 0
  /// The name of the data set that this one was merged beside; nil for a data set of the identity's own.
  package var mergedBeside: String?

  package init(id: String, _ place: DatasetPlace, base: Int64, by changer: String, at now: Timestamp) {
    self.init(
      id: id, identity: place.identity, name: place.name, created: now, modified: now, modifiedBy: changer,
      count: base, base: base)
  }

  package init(
    id: String, identity: IdentityPlace, name: String, created: Timestamp, modified: Timestamp,
    modifiedBy: String, count: Int64, base: Int64
  ) {
    self.id = id
    self.identity = identity
    self.name = name
    self.created = created
    self.modified = modified
    self.modifiedBy = modifiedBy
    self.count = count
    self.base = base
  }

  /// The number of keys, those of removed records included.
  package var keyCount: Int { recordCount + removedCount }

  package var place: DatasetPlace { DatasetPlace(identity, name: name) }
}

/// A data set that was deleted, and some of whose records are left.
package struct RemovedDataset: Sendable {
  package let id: String

  package init(id: String) { self.id = id }
}

/// The stored state of an identity's deleted data sets.
package struct DatasetFloor: Sendable {
  package let identity: IdentityPlace
  /// One more than the highest count of the identity's deleted data sets. New ones begin above it, so that a count
  /// shows whether its data set was deleted since.
  package var count: Int64

  package init(identity: IdentityPlace, count: Int64) {
    self.identity = identity
    self.count = count
  }
}
