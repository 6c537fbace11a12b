import Foundation
import Glibc

/// A PostgreSQL server in a temporary folder, which commits as in production. As root it runs as `postgres`.
final class TimedServer {
  private let folder: String
  private let process: Process
  private var databases = 0

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/timing-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
    if getuid() == 0 { try Self.run("chown", ["postgres", folder]) }
    try Self.run(
      Self.program("initdb"),
      ["-D", "\(folder)/data", "-U", "service", "--auth=trust", "-E", "UTF8", "--locale=C"],
      asServer: true)
    process = Self.process(
      Self.program("postgres"), ["-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses="],
      asServer: true)
    try process.run()
    for _ in 0..<600 {
      if (try? sql("SELECT 1")) != nil { return }
      usleep(100_000)
    }
    throw ServerError(text: "PostgreSQL does not start")
  }

  /// The URL of a new database.
  func newDatabase() throws -> String {
    databases += 1
    try sql("CREATE DATABASE d\(databases)")
    return "postgresql:///d\(databases)?host=\(folder)&user=service"
  }

  func remove() {
    kill(process.processIdentifier, SIGQUIT)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func sql(_ text: String) throws {
    try Self.run("psql", ["-h", folder, "-U", "service", "-d", "postgres", "-qAtc", text])
  }

  struct ServerError: Error { let text: String }

  private static func program(_ name: String) -> String {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let newest = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else { return name }
    return "/usr/lib/postgresql/\(newest)/bin/\(name)"
  }

  private static func process(_ name: String, _ arguments: [String], asServer: Bool) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    process.arguments = ["-C", "/"] + (asServer && getuid() == 0 ? user : []) + [name] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  private static func run(_ name: String, _ arguments: [String], asServer: Bool = false) throws {
    let process = process(name, arguments, asServer: asServer)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ServerError(text: "\(name) ended with \(process.terminationStatus)")
    }
  }
}
