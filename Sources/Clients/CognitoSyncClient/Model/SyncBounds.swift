internal import ServiceOperations
internal import TokenSecurityBase

/// Bounds of keys and values that this device stores. The service's bounds are wider for keys; records of
/// other clients are taken as they are.
enum SyncBounds {
  /// Maximum size in bytes of a key that this device makes.
  static let key = 128
  /// Maximum size of a value in bytes.
  static let value = 1_048_575

  /// A name is a segment of the service's path, where `.` and `..` mean another one.
  static func checkDataset(_ name: String) throws(SyncClientError) {
    guard TextBounds.datasetName.allows(name), name != ".", name != ".." else {
      throw .inputInvalid(
        rule: "the name \(name.quoted) is not that of a data set: letters, digits, and _ . : -, not . or ..")
    }
  }

  static func check(key: String) throws(SyncClientError) {
    guard (1...Self.key).contains(key.utf8.count) else {
      throw .inputInvalid(rule: "a key of \(key.utf8.count) bytes; a key has 1 to \(Self.key)")
    }
  }

  static func check(value: String) throws(SyncClientError) {
    guard value.utf8.count <= Self.value else {
      throw .inputInvalid(
        rule: "a value of \(value.utf8.count) bytes; a value has at most \(Self.value)")
    }
  }
}
