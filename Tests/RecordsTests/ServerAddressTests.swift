internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Testing
internal import TokenSecurityPlatform

/// Addresses of databases with several hosts and options, and bounds of settings.
@Suite struct ServerAddressTests {
  typealias Failure = RecordStoreError

  private func use(_ settings: PostgreSQLSettings) async throws {
    let connectTimeout = settings.connectTimeout
    var settings = settings
    settings.waitForHours()
    settings.connectTimeout = connectTimeout
    settings.connections = 3
    let store = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    try await store.write { rows throws(Failure) in try rows.put(Person("a", 1), in: Person.table) }
    let found = try await store.read { rows throws(Failure) in
      try rows.get(Person.table, RecordKey("a", 1))
    }
    #expect(found == Person("a", 1))
    try await store.close()
  }

  /// The system accepts connections to a socket that listens, and no program answers them.
  @Test func aSilentHostIsFollowedByTheNextOne() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let silent = try SilentSocket()
    let folder = TestServer.shared.folder
    for (hosts, ports) in [
      ("127.0.0.1,\(folder)", "\(silent.port),5432"),
      ("127.0.0.1,/nowhere,\(folder)", "\(silent.port),5432,5432"),
    ] {
      var settings = try PostgreSQLSettings(
        url: "postgresql:///\(database)?host=\(hosts)&port=\(ports)&user=service&sslmode=disable")
      settings.connections = 1
      try await use(settings)
    }
    // The last host's error is that of the attempt.
    let settings = try PostgreSQLSettings(
      url: "postgresql:///\(database)?host=\(folder),/nowhere&port=1,5432&user=service")
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
      Issue.record("a store without a server opened")
    } catch {
      #expect(error.code == .unavailable && "\(error)".contains("/nowhere"), "\(error)")
    }
  }

  @Test func listsOfHostsMustFit() throws {
    for query in [
      "host=a,b&port=1,2,3", "host=a&port=1,2", "port=1,2", "host=a,b&hostaddr=127.0.0.1",
      "host=" + Array(repeating: "a", count: 17).joined(separator: ","),
    ] {
      #expect(throws: Failure.self) { try PostgreSQLSettings(url: "postgresql:///d?\(query)") }
      do throws(Failure) { _ = try PostgreSQLSettings(url: "postgresql:///d?\(query)") } catch {
        #expect(error.code == .settingsRefused)
      }
    }
    for url in ["postgresql://a,b/d", "postgresql://a:1,b:2/d", "postgresql://a,b:2/d", "postgresql:///d"] {
      _ = try PostgreSQLSettings(url: url)
    }
  }

  @Test func optionsOfTheAddressAreKept() async throws {
    let database = try await TestServer.shared.makeDatabase()
    _ = try await TestServer.shared.sql("CREATE SCHEMA other", database)
    try await use(
      PostgreSQLSettings(
        url: "postgresql:///\(database)?host=\(TestServer.shared.folder)&user=service"
          + "&options=-c%20search_path%3Dother"))
    let sql = "SELECT schemaname FROM pg_tables WHERE tablename = 'person'"
    #expect(try await TestServer.shared.sql(sql, database) == "other\n")
  }

  @Test func settingsHaveBounds() throws {
    var settings = try PostgreSQLSettings(url: "postgresql:///d?connect_timeout=3")
    #expect(settings.connectTimeout == .seconds(3))
    #expect(try PostgreSQLSettings(url: "postgresql:///d?connect_timeout=0").connectTimeout == .seconds(5))
    (settings.connections, settings.waitingLimit, settings.attempts) = (-1, .min, 0)
    #expect((settings.connections, settings.waitingLimit, settings.attempts) == (1, 1, 1))
    settings.callTimeout = .seconds(Int64.max)
    settings.statementTimeout = .zero
    settings.connectTimeout = .seconds(Int64.min)
    #expect(settings.callTimeout == .seconds(86_400))
    #expect(settings.statementTimeout == .milliseconds(1))
    #expect(settings.connectTimeout == .milliseconds(1))
  }
}

/// A socket on 127.0.0.1 that listens and never answers.
private final class SilentSocket: Sendable {
  let port: Int
  private let descriptor: Int32

  struct SocketError: Error {}

  init() throws {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The addresses are used during the calls only, with their size.
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isListening else { throw SocketError() }
  }

  deinit { close(descriptor) }
}
