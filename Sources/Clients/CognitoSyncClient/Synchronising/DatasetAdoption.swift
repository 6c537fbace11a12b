internal import TokenSecurityBase

// Data from before there was an identity belongs to the first one.
extension DatasetWriting {
  /// Gives the records that a data set got before there was an identity to that identity's data set. Where both
  /// have a record, the later change counts.
  func adoptDataset(_ name: String, for identityID: String) throws(SyncClientError) {
    let former = DatasetID(identityID: nil, name: name)
    guard let dataset = try self.dataset(former) else { return }
    let id = DatasetID(identityID: identityID, name: name)
    var own = try self.dataset(id) ?? LocalDataset(id: id, created: dataset.created)
    own.lastModified = max(own.lastModified, dataset.lastModified)
    try put(own)
    for record in try records(of: former) {
      guard var known = try self.record(record.key, of: id) else {
        try put(record, in: id)
        continue
      }
      // Also of an equal value: a third change may have a time between the two.
      guard record.deviceLastModified > known.deviceLastModified else { continue }
      known.value = record.value
      known.deviceLastModified = record.deviceLastModified
      known.isModified = true
      try put(known, in: id)
    }
    try delete(former)
  }
}
