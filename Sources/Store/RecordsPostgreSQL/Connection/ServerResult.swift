internal import CTokenSecurityPostgreSQL
internal import TokenSecurityBase

/// The rows that a statement returned, in binary form.
struct ServerRows: Sendable, Equatable {
  /// The values of each row; nil for null.
  let rows: [[[UInt8]?]]
  /// The number of rows that the statement has changed.
  let changed: Int

  /// A big-endian integer of any size.
  static func integer(_ bytes: [UInt8]?) -> Int64? {
    guard let bytes, (1...8).contains(bytes.count), let first = bytes.first else { return nil }
    let sign: Int64 = first >= 0x80 ? -1 : 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }
}

/// Why a statement has no result.
enum ServerFailure: Error, Sendable {
  /// The connection is lost, or a deadline has passed and it was closed. It cannot be used any more.
  case lost(String)
  /// The server refused the statement.
  case refused(state: String, message: String)

  static let serializationFailure = "40001"

  /// True if the transaction is to be run again: serialization failures, deadlocks, and a unique value that
  /// another transaction has taken meanwhile.
  var isConflict: Bool {
    guard case .refused(let state, _) = self else { return false }
    return isUniqueViolation
      || [Self.serializationFailure, "40P01"].contains { $0.utf8.elementsEqual(state.utf8) }
  }

  /// True if another row has the value in a unique index.
  var isUniqueViolation: Bool {
    guard case .refused(let state, _) = self else { return false }
    return state.utf8.elementsEqual("23505".utf8)
  }

  /// A sentence without values of rows.
  var reason: String {
    switch self {
    case .lost(let reason): reason
    case .refused(let state, let message): "PostgreSQL \(state): \(message)"
    }
  }
}

extension ServerRows {
  /// Copies a result of libpq.
  init(_ result: OpaquePointer) {
    let (count, columns) = unsafe (PQntuples(result), PQnfields(result))
    var rows: [[[UInt8]?]] = []
    for row in 0..<max(0, count) {
      rows.append(
        (0..<columns).map { column in
          guard unsafe PQgetisnull(result, row, column) == 0,
            let start = unsafe PQgetvalue(result, row, column)
          else { return nil }
          let length = unsafe Int(PQgetlength(result, row, column))
          return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
        })
    }
    let changed = unsafe PQcmdTuples(result).map { unsafe String(cString: $0) } ?? ""
    self.init(rows: rows, changed: Int(changed) ?? 0)
  }
}

extension ServerFailure {
  /// The server's error, without the details, which would have values of rows.
  init(_ result: OpaquePointer) {
    func field(_ code: UInt8) -> String {
      unsafe PQresultErrorField(result, Int32(code)).map { unsafe String(cString: $0) } ?? ""
    }
    self = .refused(
      state: field(UInt8(ascii: "C")), message: field(UInt8(ascii: "M")).bounded(to: 300))
  }
}
