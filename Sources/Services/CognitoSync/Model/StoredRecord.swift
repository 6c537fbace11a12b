package import Records
package import TokenLifetime
internal import TokenSecurityBase

/// A record of a data set, or what a removed record leaves.
package struct StoredRecord: StoredFields {
  package private(set) var datasetID = ""
  package private(set) var key = ""
  /// Nil for a record that was removed.
  package var value: String?
  /// The data set's count at the change.
  package var count: Int64 = 0
  /// When it was changed, by the service's clock.
  package var modified = Timestamp(seconds: 0)
  package var modifiedBy = ""
  /// When it was changed, by the device's clock.
  package var deviceModified = Timestamp(seconds: 0)

  package init() {}

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

  package mutating func fields(_ f: inout RowFields) {
    var hasValue = value != nil
    f.text("dataset", &datasetID)
    f.text("key", &key)
    f.bool("hasValue", &hasValue)
    f.number("count", &count)
    f.instant("modified", &modified)
    f.text("modifiedBy", &modifiedBy)
    f.instant("deviceModified", &deviceModified)
    value = hasValue ? value ?? "" : nil
  }

  /// A line of JSON, then the value as it is: in JSON, a value of control characters would have six times its
  /// bytes, more than a row may have.
  package static let encoding = RowEncoding<StoredRecord>(
    encode: { row, _ in row.json + [lineFeed] + Array((row.value ?? "").utf8) },
    decode: { bytes, _ in
      // JSON has no line feed of its own.
      guard let end = bytes.firstIndex(of: lineFeed), var row = StoredRecord(json: Array(bytes[..<end])),
        let text = String(validating: bytes[(end + 1)...], as: UTF8.self)
      else { return nil }
      guard row.value != nil else { return text.isEmpty ? row : nil }
      row.value = text
      return row
    })

  private static let lineFeed = UInt8(ascii: "\n")
}
