public import TokenSecurityBase

/// How the rows of a table are written and read, in all versions that ever were in use.
///
///     let encoding = RowEncoding<Login>.json(
///       version: 2, oldest: 1,
///       write: { login, version in
///         var object: JSONObject = ["user": .string(login.user)]
///         if version >= 2 { object["kind"] = .string(login.kind) }
///         return object
///       },
///       read: { object, version in
///         guard let user = object["user"]?.string else { return nil }
///         return Login(user: user, kind: object["kind"]?.string ?? "external")
///       })
///
/// While nodes of two versions of the program use one database, rows are written in a version that all of
/// them read. An encoding therefore writes older versions too, until no node needs them.
public struct RowEncoding<Row: Sendable>: Sendable {
  /// The version that this program writes if it can.
  public let version: Int
  /// The oldest version that this program can write.
  public let oldest: Int
  package let encode: @Sendable (Row, Int) -> [UInt8]?
  package let decode: @Sendable ([UInt8], Int) -> Row?

  /// Maximum size of an encoded row in bytes: 2 MiB.
  public static var sizeLimit: Int { RecordLimits.row }

  /// An encoding in bytes.
  ///
  /// - Parameters:
  ///   - version: the version, from 1; one more after each change.
  ///   - oldest: the oldest version that `encode` can write. Default: `version`.
  ///   - encode: the bytes of a row in a version; nil if it cannot be written.
  ///   - decode: the row of bytes in a version up to `version`; nil if they are damaged.
  public init(
    version: Int = 1, oldest: Int? = nil, encode: @escaping @Sendable (Row, Int) -> [UInt8]?,
    decode: @escaping @Sendable ([UInt8], Int) -> Row?
  ) {
    self.version = version
    self.oldest = oldest ?? version
    self.encode = encode
    self.decode = decode
  }

  /// An encoding as a JSON object, which operators can read. Secrets in it must be sealed.
  ///
  /// - Parameters:
  ///   - version: the version, from 1; one more after each change.
  ///   - oldest: the oldest version that `write` can write. Default: `version`.
  ///   - write: the members of a row in a version.
  ///   - read: the row of members in a version up to `version`; nil if they are damaged.
  /// - Returns: the encoding.
  public static func json(
    version: Int = 1, oldest: Int? = nil, write: @escaping @Sendable (Row, Int) -> JSONObject?,
    read: @escaping @Sendable (JSONObject, Int) -> Row?
  ) -> RowEncoding {
    RowEncoding(
      version: version, oldest: oldest,
      encode: { row, version in write(row, version).map { JSONWriter.write($0) } },
      decode: { bytes, version in
        let limits = JSONLimits(size: RecordLimits.row)
        guard let document = try? JSONDocument(bytes, limits: limits), document.kind(at: 0) == .object else {
          return nil
        }
        return read(document.object(), version)
      })
  }
}
