package import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// How rows of data sets and records are stored.
///
/// A missing or mistyped member makes a row unreadable.
extension StoredDataset {
  package static let encoding = RowEncoding<StoredDataset>.json(
    write: { row, _ in
      var members: JSONObject = [
        "id": .string(row.id), "pool": .string(row.identity.poolID),
        "identity": .string(row.identity.identityID), "name": .string(row.name),
        "created": .instant(row.created), "modified": .instant(row.modified),
        "modifiedBy": .string(row.modifiedBy), "count": .whole(row.count), "base": .whole(row.base),
        "records": .whole(Int64(row.recordCount)), "removed": .whole(Int64(row.removedCount)),
        "size": .whole(Int64(row.size)),
      ]
      if let beside = row.mergedBeside { members["mergedBeside"] = .string(beside) }
      return members
    },
    read: { row, _ in
      guard let id = row["id"]?.string, let identity = IdentityPlace(row), let name = row["name"]?.string,
        let created = row["created"]?.instant, let modified = row["modified"]?.instant,
        let modifiedBy = row["modifiedBy"]?.string, let count = row["count"]?.int64,
        let base = row["base"]?.int64, let records = row["records"]?.int64.flatMap({ Int(exactly: $0) }),
        let removed = row["removed"]?.int64.flatMap({ Int(exactly: $0) }),
        let size = row["size"]?.int64.flatMap({ Int(exactly: $0) })
      else { return nil }
      var dataset = StoredDataset(
        id: id, identity: identity, name: name, created: created, modified: modified, modifiedBy: modifiedBy,
        count: count, base: base)
      dataset.recordCount = records
      dataset.removedCount = removed
      dataset.size = size
      dataset.mergedBeside = row["mergedBeside"]?.string
      return dataset
    })
}

extension RemovedDataset {
  package static let encoding = RowEncoding<RemovedDataset>.json(
    write: { row, _ in ["id": .string(row.id)] },
    read: { row, _ in row["id"]?.string.map { RemovedDataset(id: $0) } })
}

extension DatasetFloor {
  package static let encoding = RowEncoding<DatasetFloor>.json(
    write: { row, _ in
      [
        "pool": .string(row.identity.poolID), "identity": .string(row.identity.identityID),
        "count": .whole(row.count),
      ]
    },
    read: { row, _ in
      guard let identity = IdentityPlace(row), let count = row["count"]?.int64 else { return nil }
      return DatasetFloor(identity: identity, count: count)
    })
}

extension StoredRecord {
  /// A line of JSON, then the value as it is: in JSON, a value of control characters would have six times its
  /// bytes, more than a row may have.
  package static let encoding = RowEncoding<StoredRecord>(
    encode: { row, _ in
      let members: JSONObject = [
        "dataset": .string(row.datasetID), "key": .string(row.key), "hasValue": .bool(row.value != nil),
        "count": .whole(row.count), "modified": .instant(row.modified),
        "modifiedBy": .string(row.modifiedBy), "deviceModified": .instant(row.deviceModified),
      ]
      return JSONWriter.write(members) + [lineFeed] + Array((row.value ?? "").utf8)
    },
    decode: { bytes, _ in
      // JSON has no line feed of its own.
      guard let end = bytes.firstIndex(of: lineFeed),
        let document = try? JSONDocument(Array(bytes[..<end]), limits: JSONLimits(size: 1 << 20)),
        document.kind(at: 0) == .object
      else { return nil }
      let row = document.object()
      guard let dataset = row["dataset"]?.string, let key = row["key"]?.string,
        let hasValue = row["hasValue"]?.bool, let count = row["count"]?.int64,
        let modified = row["modified"]?.instant, let modifiedBy = row["modifiedBy"]?.string,
        let deviceModified = row["deviceModified"]?.instant
      else { return nil }
      var value: String?
      if hasValue {
        guard let text = String(validating: bytes[(end + 1)...], as: UTF8.self) else { return nil }
        value = text
      }
      return StoredRecord(
        datasetID: dataset, key: key, value: value, count: count, modified: modified, modifiedBy: modifiedBy,
        deviceModified: deviceModified)
    })

  private static let lineFeed = UInt8(ascii: "\n")
}
