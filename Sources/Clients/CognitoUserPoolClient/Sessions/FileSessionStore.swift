public import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Stores sessions in a file that only its owner can read (mode 600).
///
/// The file is replaced as a whole, so that a program that is killed leaves the earlier sessions. Several programs
/// can share one file: a lock on `PATH.lock` orders their changes.
///
/// The sessions are not encrypted. On a computer with a keychain, a ``SessionStore`` over it is the better storage.
public struct FileSessionStore: SessionStore {
  private let file: PrivateFile

  /// Maximum size of the file in bytes.
  private static let limit = 8 << 20
  /// Maximum number of values.
  private static let capacity = 1_000
  private static let version: Int64 = 1

  /// A store.
  ///
  /// - Parameter path: the file, in an existing folder. It is made when something is stored.
  public init(path: String) { file = PrivateFile(path: path) }

  /// Reads a value.
  ///
  /// - Parameter key: the value's key.
  /// - Returns: the value; nil if none is stored.
  /// - Throws: `storeUnavailable`, also for a file that other users can read.
  public func load(_ key: SessionKey) throws(UserPoolClientError) -> SecretText? {
    // A replaced file is seen whole, before or after: reading needs no lock.
    try Self.reporting { () throws(PrivateFile.Failure) in try values().first { $0.key == key }?.value }
  }

  /// Replaces a value.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the value's key.
  /// - Throws: `storeUnavailable`, also for a value that is too large, and if there are 1,000 others.
  public func save(_ value: SecretText, for key: SessionKey) throws(UserPoolClientError) {
    try key.check(value)
    try change { values in
      if let index = values.firstIndex(where: { $0.key == key }) {
        values[index].value = value
      } else {
        values.append(Entry(key: key, value: value))
      }
    }
  }

  /// Deletes a value, unless none is stored.
  ///
  /// - Parameter key: the value's key.
  /// - Throws: `storeUnavailable`.
  public func delete(_ key: SessionKey) throws(UserPoolClientError) {
    try change { $0.removeAll { $0.key == key } }
  }

  private struct Entry {
    let key: SessionKey
    var value: SecretText
  }

  private func change(_ change: (inout [Entry]) -> Void) throws(UserPoolClientError) {
    try Self.reporting { () throws(PrivateFile.Failure) in
      try file.withLock { () throws(PrivateFile.Failure) in
        var values = try values()
        change(&values)
        guard !values.isEmpty else { return try file.remove() }
        guard values.count <= Self.capacity else { throw failure("has \(Self.capacity) values") }
        var json = Self.json(values)
        let text = SecretBytes(wiping: &json)
        guard text.count <= Self.limit else { throw failure("would have more than \(Self.limit) bytes") }
        try text.withBytes { (bytes) throws(PrivateFile.Failure) in try file.replace(with: bytes) }
      }
    }
  }

  private func values() throws(PrivateFile.Failure) -> [Entry] {
    guard var bytes = try file.read(limit: Self.limit) else { return [] }
    guard var document = JSONDocument.taking(&bytes, limits: JSONLimits(size: Self.limit)) else {
      throw failure("is not a file of sessions")
    }
    defer { document.wipe() }
    guard document.member("version").flatMap({ document.number(at: $0)?.int64 }) == Self.version,
      let list = document.member("values"), document.kind(at: list) == .array
    else { throw failure("is not a file of sessions") }
    var values: [Entry] = []
    for place in document.elements(of: list) {
      guard let entry = Self.entry(document, at: place) else { throw failure("is not a file of sessions") }
      values.append(entry)
    }
    return values
  }

  private static func entry(_ document: JSONDocument, at place: JSONDocument.Place) -> Entry? {
    guard document.kind(at: place) == .object else { return nil }
    func text(_ name: String) -> String? {
      document.member(name, of: place).flatMap { document.string(at: $0) }
    }
    guard let pool = text("pool"), let client = text("client"), let kind = text("kind"),
      let item = SessionKey.item(kind: kind, username: text("user")),
      let value = document.member("value", of: place).flatMap({ SecretText.string(document, at: $0) })
    else { return nil }
    return Entry(key: SessionKey(poolID: pool, clientID: client, item: item), value: value)
  }

  private static func json(_ values: [Entry]) -> [UInt8] {
    var output = Array("{\"version\":\(version),\"values\":[".utf8)
    // Grown once: copies that growing makes are not wiped.
    output.reserveCapacity(limit)
    for (index, entry) in values.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      for (name, text) in [
        ("{\"pool\":", entry.key.poolID), (",\"client\":", entry.key.clientID),
        (",\"kind\":", entry.key.kind), (",\"user\":", entry.key.username),
      ] {
        guard let text else { continue }
        output.append(contentsOf: name.utf8)
        JSONWriter.append(text, to: &output)
      }
      output.append(contentsOf: ",\"value\":".utf8)
      entry.value.withBytes { JSONWriter.append($0, to: &output) }
      output.append(UInt8(ascii: "}"))
    }
    output.append(contentsOf: "]}\n".utf8)
    return output
  }

  private func failure(_ rule: String) -> PrivateFile.Failure {
    PrivateFile.Failure(reason: "\(file.path) \(rule)")
  }

  private static func reporting<R>(
    _ body: () throws(PrivateFile.Failure) -> R
  ) throws(UserPoolClientError) -> R {
    do { return try body() } catch { throw .storeUnavailable(error.reason) }
  }
}
