package import RecordsPostgreSQL

extension PostgreSQLSettings {
  /// Sets time limits that no test meets: a machine is busy, or each commit takes seconds.
  package mutating func waitForHours() {
    lease = .seconds(3_600)
    connectTimeout = .seconds(3_600)
    statementTimeout = .seconds(3_600)
    callTimeout = .seconds(3_600)
  }
}
