internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Encoding of a store's files: data sets, records and registrations as bytes.
package enum DatasetCoding {
  /// The bytes of a data set: a JSON object.
  package static func bytes(_ dataset: LocalDataset) -> [UInt8] {
    var object: JSONObject = [
      "name": .string(dataset.id.name), "count": .number(JSONNumber(dataset.lastSyncCount)),
      "isDeletionPending": .bool(dataset.isDeletionPending), "created": .string("\(dataset.created)"),
      "modified": .string("\(dataset.lastModified)"),
    ]
    object["identity"] = dataset.id.identityID.map { .string($0) }
    return JSONWriter.write(object)
  }

  /// The data set of bytes; nil where they are damaged.
  package static func dataset(_ bytes: [UInt8]) -> LocalDataset? {
    guard let object = object(bytes), let id = datasetID(object), let count = count(object),
      let isDeletionPending = object["isDeletionPending"]?.bool,
      let created = date(object, "created"), let modified = date(object, "modified")
    else { return nil }
    return LocalDataset(
      id: id, lastSyncCount: count, isDeletionPending: isDeletionPending, created: created,
      lastModified: modified)
  }

  /// The bytes of a record: a line with a JSON object, and the value after it. A value of a megabyte needs no escapes.
  package static func bytes(_ record: DatasetRecord, in id: DatasetID) -> [UInt8] {
    var object: JSONObject = [
      "name": .string(id.name), "key": .string(record.key),
      "count": .number(JSONNumber(record.syncCount)), "isModified": .bool(record.isModified),
      "deviceModified": .string("\(record.deviceLastModified)"), "hasValue": .bool(record.value != nil),
    ]
    object["identity"] = id.identityID.map { .string($0) }
    object["modified"] = record.lastModified.map { .string("\($0)") }
    object["modifiedBy"] = record.lastModifiedBy.map { .string($0) }
    var bytes = JSONWriter.write(object)
    bytes.append(UInt8(ascii: "\n"))
    bytes += Array((record.value ?? "").utf8)
    return bytes
  }

  /// The record of bytes and its data set; nil where they are damaged.
  package static func record(_ bytes: [UInt8]) -> (id: DatasetID, record: DatasetRecord)? {
    // Line breaks in texts are escaped, so that the first one ends the object.
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), let object = object(Array(bytes[..<end])),
      let id = datasetID(object), let key = object["key"]?.string, let count = count(object),
      let isModified = object["isModified"]?.bool, let hasValue = object["hasValue"]?.bool,
      let deviceModified = date(object, "deviceModified"),
      let value = String(validating: bytes[(end + 1)...], as: UTF8.self), hasValue || value.isEmpty
    else { return nil }
    let (modified, modifiedBy) = (date(object, "modified"), object["modifiedBy"]?.string)
    // What cannot be read is not absent.
    guard modified != nil || object["modified"] == nil, modifiedBy != nil || object["modifiedBy"] == nil
    else {
      return nil
    }
    let record = DatasetRecord(
      key: key, value: hasValue ? value : nil, syncCount: count, lastModified: modified,
      lastModifiedBy: modifiedBy, deviceLastModified: deviceModified,
      isModified: isModified)
    return (id, record)
  }

  /// The bytes of a registration: a JSON object.
  package static func bytes(_ registration: DeviceRegistration) -> [UInt8] {
    JSONWriter.write(
      [
        "identity": .string(registration.identityID), "platform": .string(registration.platform.name),
        "device": .string(registration.deviceID),
      ] as JSONObject)
  }

  /// The registration of bytes; nil where they are damaged.
  package static func registration(_ bytes: [UInt8]) -> DeviceRegistration? {
    guard let object = object(bytes), let identity = object["identity"]?.string,
      let platform = object["platform"]?.string.flatMap({ PushPlatform(name: $0) }),
      let device = object["device"]?.string
    else { return nil }
    return DeviceRegistration(identityID: identity, platform: platform, deviceID: device)
  }

  private static func object(_ bytes: [UInt8]) -> JSONObject? {
    (try? JSONValue(parsing: bytes, limits: JSONLimits(size: 64 << 10, depth: 2)))?.object
  }

  private static func datasetID(_ object: JSONObject) -> DatasetID? {
    let identityID = object["identity"]?.string
    guard let name = object["name"]?.string, identityID != nil || object["identity"] == nil else {
      return nil
    }
    return DatasetID(identityID: identityID, name: name)
  }

  private static func date(_ object: JSONObject, _ name: String) -> Timestamp? {
    object[name]?.string.flatMap(Timestamp.init(rfc3339:))
  }

  private static func count(_ object: JSONObject) -> Int64? {
    object["count"]?.int64.flatMap { $0 >= 0 ? $0 : nil }
  }
}
