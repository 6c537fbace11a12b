internal import Records
internal import TokenLifetime

/// The clock of the database's server. All nodes have it in common.
struct ServerClock: Sendable {
  /// The statement that reads it, in microseconds since 1970.
  let statement: String

  /// Maximum number of seconds by which a node's clock may differ.
  private let tolerance: Int64

  init(_ settings: PostgreSQLSettings) {
    tolerance = settings.clockTolerance
    statement = "SELECT (extract(epoch FROM \(settings.clock)) * 1000000)::int8"
  }

  /// Checks that this machine's clock agrees with the server's.
  ///
  /// - Throws: `clockDiffers`; `ServerFailure`.
  func check(_ connection: ServerConnection, _ deadline: Deadline) throws {
    let before = Timestamp.now.microseconds
    let rows = try connection.query(statement, [], deadline).rows
    let after = Timestamp.now.microseconds
    guard let server = ServerRows.integer(rows.first?.first ?? nil) else {
      throw RecordStoreError.unavailable("the server's clock cannot be read")
    }
    // The answer may be late.
    let seconds = Self.seconds(from: server, to: min(before, after)...max(before, after))
    guard seconds.magnitude <= tolerance else { throw RecordStoreError.clockDiffers(by: .seconds(seconds)) }
  }

  /// The seconds by which a time is later than the server's, where it was read at any of these times; less than 0 where it
  /// is earlier. Fractions count as a second.
  static func seconds(from server: Int64, to times: ClosedRange<Int64>) -> Int64 {
    func rounded(_ microseconds: Int64) -> Int64 {
      microseconds / 1_000_000 + (microseconds % 1_000_000).signum()
    }
    if times.lowerBound > server { return rounded(times.lowerBound.saturatingDifference(server)) }
    if times.upperBound < server { return -rounded(server.saturatingDifference(times.upperBound)) }
    return 0
  }
}
