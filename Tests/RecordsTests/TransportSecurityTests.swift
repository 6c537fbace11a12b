internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Testing

/// Connections over TCP: the server's certificate and name are verified, and the password is shown nowhere.
@Suite(.serialized) struct TransportSecurityTests {
  typealias Failure = RecordStoreError

  /// A server with a certificate for `localhost`, and two certificate authorities.
  private struct Fixture {
    let server: TestServer
    let folder: String
    /// Below the ports that Linux gives to other programs' connections.
    let port = Int.random(in: 20_000..<32_768)

    init() async throws {
      folder = try TestFolder.make()
      for authority in ["right", "wrong"] {
        _ = try await TestServer.run(
          "openssl",
          [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(authority)", "-keyout", "\(folder)/\(authority).key", "-out",
            "\(folder)/\(authority).pem",
          ])
      }
      try "subjectAltName=DNS:localhost".write(
        toFile: "\(folder)/names", atomically: true, encoding: .utf8)
      _ = try await TestServer.run(
        "openssl",
        [
          "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
          "-keyout", "\(folder)/server.key", "-out", "\(folder)/server.csr",
        ])
      server = TestServer(
        [
          "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on", "-c", "ssl_cert_file=server.pem", "-c",
          "ssl_key_file=server.key",
        ],
        port: port)
      try await server.make()
      let data = "\(server.folder)/data"
      _ = try await TestServer.run(
        "openssl",
        [
          "x509", "-req", "-in", "\(folder)/server.csr", "-CA", "\(folder)/right.pem", "-CAkey",
          "\(folder)/right.key", "-days", "2", "-extfile", "\(folder)/names", "-out", "\(data)/server.pem",
        ])
      try FileManager.default.copyItem(atPath: "\(folder)/server.key", toPath: "\(data)/server.key")
      _ = try await TestServer.run("chmod", ["600", "\(data)/server.key"])
      if getuid() == 0 {
        _ = try await TestServer.run("chown", ["postgres", "\(data)/server.key", "\(data)/server.pem"])
      }
      try "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n".write(
        toFile: "\(data)/pg_hba.conf", atomically: false, encoding: .utf8)
      _ = try await server.makeDatabase()
      _ = try await server.sql("ALTER USER service PASSWORD 'correct horse'", "d1")
      try "correct horse\n".write(toFile: "\(folder)/password", atomically: true, encoding: .utf8)
      try "battery staple".write(toFile: "\(folder)/other", atomically: true, encoding: .utf8)
      _ = try await TestServer.run("chmod", ["600", "\(folder)/password", "\(folder)/other"])
    }

    /// The error of opening a store; empty if it opens.
    func open(
      host: String = "localhost", root: String = "right", password: String = "password", query: String = ""
    ) async throws -> String {
      var settings = try PostgreSQLSettings(
        url: "postgresql://service@\(host):\(port)/d1\(query)", password: .file("\(folder)/\(password)"),
        rootCertificates: "\(folder)/\(root).pem")
      settings.connections = 2
      settings.waitForHours()
      do throws(Failure) {
        let store = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
        try await store.write { rows throws(Failure) in try rows.put(Person("a", 1), in: Person.table) }
        try await store.close()
        return ""
      } catch {
        #expect(error.code == .unavailable)
        return "\(error)"
      }
    }

    func remove() async {
      await server.stop(SIGQUIT)
      try? FileManager.default.removeItem(atPath: folder)
    }
  }

  @Test func theServerIsVerified() async throws {
    let f = try await Fixture()
    #expect(try await f.open() == "")
    #expect(try await f.open(root: "wrong").contains("certificate verify failed"))
    #expect(try await f.open(host: "127.0.0.1").contains("does not match host name"))
    // A name for less is in the address.
    #expect(try await f.open(host: "127.0.0.1", query: "?sslmode=verify-ca") == "")
    let refused = try await f.open(password: "other")
    #expect(refused.contains("password authentication failed") && !refused.contains("battery"))
    #expect(try await f.open(password: "missing").contains("\(f.folder)/missing"))
    await f.remove()
  }

  @Test func passwordsAreNotInAddresses() {
    for url in [
      "postgresql://u:secret@h/d", "postgresql://u@h/d?password=secret", "mysql://h/d",
      "postgresql://h/d?nonsense=secret",
    ] {
      #expect(throws: Failure.self) { try PostgreSQLSettings(url: url) }
      do throws(Failure) { _ = try PostgreSQLSettings(url: url) } catch {
        #expect(error.code == .settingsRefused && !"\(error)".contains("secret"))
      }
    }
  }
}
