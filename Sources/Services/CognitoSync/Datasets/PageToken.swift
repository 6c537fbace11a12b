package import Records
internal import TokenSecurityBase

/// `NextToken`: where a list goes on, in base64. It is not a secret: a list has nothing but what its caller may read.
package enum PageToken {
  private static let datasets = UInt8(ascii: "d")
  private static let records = UInt8(ascii: "r")

  // MARK: Data sets

  package static func token(afterDataset name: String) -> String {
    Base64URL.string([datasets] + Array(name.utf8))
  }

  /// The name of the last data set of the previous page; nil for the first page.
  package static func dataset(_ token: String?) throws(SyncError) -> String? {
    guard let token else { return nil }
    guard let bytes = try? Base64URL.decode(token), bytes.first == datasets,
      let name = String(validating: bytes.dropFirst(), as: UTF8.self), TextBounds.datasetName.allows(name)
    else { throw .nextTokenInvalid }
    return name
  }

  // MARK: Records

  package static func token(after record: StoredRecord) -> String {
    var bytes = [records]
    bytes.append(bigEndian: record.count)
    return Base64URL.string(bytes + SyncTables.recordKey(record.key, in: record.datasetID).encoded)
  }

  /// The last record of the previous page; nil for the first page.
  ///
  /// - Throws: `nextTokenInvalid`, also for a token of another data set.
  package static func record(_ token: String?, in datasetID: String) throws(SyncError) -> IndexPosition? {
    guard let token else { return nil }
    guard let bytes = try? Base64URL.decode(token), bytes.count > 9, bytes.first == records,
      let key = RecordKey(encoded: Array(bytes[9...])), key.starts(with: RecordKey(datasetID))
    else { throw .nextTokenInvalid }
    let count = Int64(bigEndianBytes: bytes[1..<9])
    return IndexPosition(value: RecordKey(datasetID, count), key: key)
  }
}
