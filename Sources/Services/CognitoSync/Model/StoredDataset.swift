package import Records
package import TokenLifetime

/// A data set of an identity. Its records refer to its id, so that a data set that moves to another identity takes
/// them along.
package struct StoredDataset: StoredFields {
  /// A random id, which no other data set ever has.
  package private(set) var id = ""
  /// The identity. Another one's after a merge.
  package var identity = IdentityKey()
  /// The name. Another one after a merge.
  package var name = ""
  /// When it was made.
  package private(set) var created = Timestamp(seconds: 0)
  /// When a record was last changed.
  package var modified = Timestamp(seconds: 0)
  /// Who last changed a record.
  package var modifiedBy = ""
  /// The count of the last change.
  package var count: Int64 = 0
  /// The count before the first change. Lower counts belong to data sets that were deleted before.
  package private(set) var base: Int64 = 0
  /// The number of records that have values.
  package var recordCount = 0
  /// The number of records that were removed.
  package var removedCount = 0
  /// The bytes of all keys and values.
  package var size = 0
  /// The name of the data set that this one was merged beside; nil for a data set of the identity's own.
  package var mergedBeside: String?

  package init() {}

  package init(id: String, _ key: DatasetKey, base: Int64, by changer: String, at now: Timestamp) {
    self.init(
      id: id, identity: key.identity, name: key.name, created: now, modified: now, modifiedBy: changer,
      count: base, base: base)
  }

  package init(
    id: String, identity: IdentityKey, name: String, created: Timestamp, modified: Timestamp,
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

  package var key: DatasetKey { DatasetKey(identity, name: name) }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    identity.fields(&f)
    f.text("name", &name)
    f.instant("created", &created)
    f.instant("modified", &modified)
    f.text("modifiedBy", &modifiedBy)
    f.serial("count", &count)
    f.number("base", &base)
    f.size("records", &recordCount)
    f.size("removed", &removedCount)
    f.size("size", &size)
    f.optional("mergedBeside", &mergedBeside)
  }
}

/// A data set that was deleted, and some of whose records are left.
package struct RemovedDataset: StoredFields {
  package private(set) var id = ""

  package init() {}

  package init(id: String) { self.id = id }

  package mutating func fields(_ f: inout RowFields) { f.text("id", &id) }
}

/// The stored state of an identity's deleted data sets.
package struct DatasetFloor: StoredFields {
  package private(set) var identity = IdentityKey()
  /// One more than the highest count of the identity's deleted data sets. New ones begin above it, so that a count
  /// shows whether its data set was deleted since.
  package var count: Int64 = 0

  package init() {}

  package init(identity: IdentityKey, count: Int64) {
    self.identity = identity
    self.count = count
  }

  package mutating func fields(_ f: inout RowFields) {
    identity.fields(&f)
    f.serial("count", &count)
  }
}
