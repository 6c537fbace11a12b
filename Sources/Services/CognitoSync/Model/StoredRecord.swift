package import TokenLifetime
internal import TokenSecurityBase

/// A record of a data set, or what a removed record leaves.
package struct StoredRecord: Sendable {
  package let datasetID: String
  package let key: String
  /// Nil for a record that was removed.
  package var value: String?
  /// The data set's count at the change.
  package var count: Int64
  /// When it was changed, by the service's clock.
  package var modified: Timestamp
  package var modifiedBy: String
  /// When it was changed, by the device's clock.
  package var deviceModified: Timestamp

  package init(
    datasetID: String, key: String, value: String?, count: Int64, modified: Timestamp, modifiedBy: String,
    deviceModified: Timestamp
  ) {
    self.datasetID = datasetID
    self.key = key
    self.value = value
    self.count = count
    self.modified = modified
    self.modifiedBy = modifiedBy
    self.deviceModified = deviceModified
  }

  /// The bytes that count for the data set's size.
  package var size: Int { key.utf8.count + (value?.utf8.count ?? 0) }

  /// About the bytes of the record in a response.
  package var sizeAsJSON: Int {
    JSONWriter.size(of: key) + JSONWriter.size(of: value ?? "") + modifiedBy.utf8.count + 160
  }
}
