internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing
internal import TokenSecurityTesting

/// Acknowledged writes are on the disk, in a process that is killed and by its system calls.
@Suite(.serialized, .enabled { await RecordPeer.canBeFollowed }) struct DurabilityTests {
  typealias Failure = RecordStoreError

  /// The numbered row of the program that writes.
  private struct Item: Sendable {
    var number: Int

    static let table = Records.Table<Item>(
      "item", key: { RecordKey("item", $0.number) },
      encoding: .json(
        write: { item, _ in ["number": .number(.init(Int64(item.number)))] },
        read: { object, _ in object["number"]?.int64.map { Item(number: Int($0)) } }))
  }

  /// Writes after which the program is killed.
  private static let writes = TestScale.count(300, minimum: 60)

  /// Runs the program until it has acknowledged some writes, and kills it.
  private func acknowledgedBeforeKill(_ arguments: [String], in folder: String) async throws -> Set<Int> {
    let output = "\(folder)/acknowledged"
    _ = FileManager.default.createFile(atPath: output, contents: Data())
    let process = Process()
    process.executableURL = URL(filePath: RecordPeer.path)
    process.arguments = ["records"] + arguments
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    try process.run()
    func lines() throws -> [Substring] {
      try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    }
    try await eventually { try !process.isRunning || lines().count >= Self.writes }
    kill(process.processIdentifier, SIGKILL)
    await process.ended()
    return Set(try lines().compactMap { Int($0.split(separator: " ").last ?? "") })
  }

  private func numbers(in store: any RecordStore) async throws(Failure) -> Set<Int> {
    try await store.read(at: .now, .fresh) { rows throws(Failure) in
      Set(try rows.scan(Item.table, limit: .max).map(\.number))
    }
  }

  @Test func writesSurviveAKilledProcess() async throws {
    try await TestFolder.with { folder in
      let path = "\(folder)/r.sqlite"
      for round in 1...3 {
        let count = 1_000_000 * round
        let stored = try await acknowledgedBeforeKill(
          ["write", "sqlite", path, "8", "\(count)"], in: folder)
        #expect(stored.count >= Self.writes)
        let store = try SQLiteRecordStore(path: path, tables: [Item.table])
        let found = try await numbers(in: store)
        #expect(stored.subtracting(found).isEmpty)
        try await store.close()
      }
      let database = try await TestServer.shared.makeDatabase()
      let url = "postgresql:///\(database)?host=\(TestServer.shared.folder)&user=service"
      let stored = try await acknowledgedBeforeKill(["write", "postgresql", url, "8", "1000000"], in: folder)
      var settings = try PostgreSQLSettings(url: url)
      settings.waitForHours()
      let store = try await PostgreSQLRecordStore(settings, tables: [Item.table])
      let found = try await numbers(in: store)
      #expect(stored.count >= Self.writes && stored.subtracting(found).isEmpty)
      try await store.close()
    }
  }

  /// System calls in the order in which they ended.
  private func trace(_ path: String) throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var begun: [Substring: String] = [:]
    var calls: [String] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard let thread = parts.first, let call = parts.last?.trimmingPrefix(while: { $0 == " " }) else {
        continue
      }
      if call.hasSuffix("<unfinished ...>") {
        begun[thread] = String(call)
      } else if call.hasPrefix("<... ") {
        calls.append((begun.removeValue(forKey: thread) ?? "") + String(call))
      } else {
        calls.append(String(call))
      }
    }
    return calls
  }

  /// Checks that between two answers there is a sync that has ended.
  private func expectSync(before answer: (String) -> Bool, in calls: [String], count: Int) {
    var (answers, isSynced) = (0, false)
    for call in calls {
      if call.contains(/^(fsync|fdatasync)\(.*= 0$/) { isSynced = true }
      if answer(call) {
        #expect(isSynced, "\(call)")
        answers += 1
        isSynced = false
      }
    }
    #expect(answers == count)
  }

  @Test func sqliteSyncsBeforeItAnswers() async throws {
    try await TestFolder.with { folder in
      let log = "\(folder)/trace"
      _ = try await TestServer.run(
        "strace",
        [
          "-f", "-s", "40", "-o", log, "-e", "trace=fsync,fdatasync,write", RecordPeer.path, "records",
          "write",
          "sqlite",
          "\(folder)/r.sqlite", "1", "20",
        ])
      expectSync(before: { $0.hasPrefix("write(1, \"stored ") }, in: try trace(log), count: 20)
    }
  }

  /// After a failed sync the write may be there when the file is opened again, or not.
  @Test func aFailedSyncLeavesTheOutcomeOpen() async throws {
    try await TestFolder.with { folder in
      let path = "\(folder)/r.sqlite"
      _ = try await TestServer.run(RecordPeer.path, ["records", "write", "sqlite", path, "1", "1"])
      do {
        _ = try await TestServer.run(
          "strace",
          [
            // The third one of each thread: the first ones are those of opening the file.
            "-f", "-o", "\(folder)/trace", "-e", "inject=fsync,fdatasync:error=EIO:when=3+", RecordPeer.path,
            "records", "write", "sqlite", path, "1", "1000",
          ])
        Issue.record("the write was acknowledged")
      } catch {
        #expect("\(error)".contains("it is not known whether the change was stored"), "\(error)")
      }
      let store = try SQLiteRecordStore(path: path, tables: [Item.table])
      #expect(try await numbers(in: store).contains(0))
      try await store.close()
    }
  }

  private func isFollowed(_ pid: String) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
      return true
    }
    return !status.split(separator: "\n").contains("TracerPid:\t0")
  }

  @Test func postgreSQLSyncsBeforeItAnswers() async throws {
    let server = TestServer()
    let database = try await server.makeDatabase()
    let settings = try server.settings(database)
    let store = try await PostgreSQLRecordStore(settings, tables: [Item.table])
    try await TestFolder.with { folder in
      let log = "\(folder)/trace"
      let pid = try #require(TestServers.pid(server.folder))
      // All connections are there before they are followed: the pool's, and the listener's.
      let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'records%'"
      try await eventually { try await server.sql(sql, database) == "\(settings.connections + 1)\n" }
      let children = try await TestServer.run("pgrep", ["-P", "\(pid)"]).split(separator: "\n").map {
        String($0)
      }
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["strace", "-f", "-s", "1000", "-o", log, "-e", "trace=fsync,fdatasync,sendto"]
        + (["\(pid)"] + children).flatMap { ["-p", $0] }
      process.standardError = FileHandle.nullDevice
      try process.run()
      try await eventually { (["\(pid)"] + children).allSatisfy { isFollowed($0) } }
      for number in 0..<20 {
        try await store.write { rows throws(Failure) in try rows.put(Item(number: number), in: Item.table) }
      }
      // It ignores other signals where the tests run in the background. What it has written stays.
      kill(process.processIdentifier, SIGKILL)
      await process.ended()
      // The answer to the change, the insertion of the record and the commit.
      expectSync(
        before: { $0.contains("INSERT 0 1\\0") && $0.contains("COMMIT\\0") }, in: try trace(log), count: 20)
    }
    try await store.close()
    await server.stop(SIGQUIT)
  }
}

/// The program that tests kill or follow.
enum RecordPeer {
  static let path = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "peer").path

  /// False where it was not built, or processes may not be followed.
  static var canBeFollowed: Bool {
    get async {
      guard FileManager.default.fileExists(atPath: path) else { return false }
      return (try? await TestServer.run("strace", ["-o", "/dev/null", "true"])) != nil
    }
  }
}
