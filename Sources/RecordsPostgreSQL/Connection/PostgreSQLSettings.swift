internal import CTokenSecurityPostgreSQL
internal import TokenSecurityEncodings
public import Records

/// Where a PostgreSQL database is, and the bounds of its use.
///
///     var settings = try PostgreSQLSettings(
///       url: "postgresql://service@db.example.com/records", password: .file("/run/secrets/database"))
///     settings.connections = 16
///
/// Over TCP the server's certificate and name are verified (`sslmode=verify-full`), unless the URL has another
/// `sslmode`. On a Unix socket there is no TLS.
public struct PostgreSQLSettings: Sendable {
  /// Where the password is.
  public enum Password: Sendable, Hashable {
    /// The server asks for none.
    case none
    /// In a file, which is read for each connection. A line feed at its end is left out.
    case file(String)
    /// In a variable of the environment.
    case environment(String)
  }

  /// The most connections, one of which listens for changes in addition. Default: 8.
  public var connections = 8
  /// The most calls that wait for a connection. Default: 1,024.
  public var waitingLimit = 1_024
  /// The longest time of a call. Default: 15 seconds.
  public var callTimeout = Duration.seconds(15)
  /// The longest time of a statement. Default: 5 seconds.
  public var statementTimeout = Duration.seconds(5)
  /// The longest time of connecting. Default: 5 seconds.
  public var connectTimeout = Duration.seconds(5)
  /// The most attempts of a write that conflicts with others. Default: 20.
  public var attempts = 20

  /// The options of libpq, without the password.
  private(set) var options: [(name: String, value: String)]
  let password: Password

  /// Settings with defaults.
  ///
  /// - Parameters:
  ///   - url: `postgresql://user@host:port/database`, with options of libpq as query parameters. A host can be
  ///     the folder of a Unix socket: `postgresql:///database?host=/run/postgresql`.
  ///   - password: where the password is; the URL must have none. Default: no password.
  ///   - rootCertificates: a file of PEM certificates to trust. Default: the system's.
  /// - Throws: `settingsRefused`.
  public init(
    url: String, password: Password = .none, rootCertificates: String = "/etc/ssl/certs/ca-certificates.crt"
  ) throws(RecordStoreError) {
    guard url.utf8.starts(with: "postgresql://".utf8) || url.utf8.starts(with: "postgres://".utf8) else {
      throw .settingsRefused("the address of the database does not begin with postgresql://")
    }
    var options = try Self.parse(url)
    guard options["password"] == nil, options["passfile"] == nil else {
      throw .settingsRefused("the address of the database has a password: use a file or the environment")
    }
    let defaults: [(ExactString, String)] = [
      // libpq ignores both on a Unix socket.
      ("sslmode", "verify-full"), ("sslrootcert", rootCertificates),
      ("application_name", "records"), ("connect_timeout", "5"), ("gssencmode", "disable"),
      // A standby is no database to write to.
      ("target_session_attrs", "read-write"),
      // A peer that has gone is noticed within ten seconds.
      ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "10000"),
    ]
    for (name, value) in defaults where options[name] == nil { options[name] = value }
    self.options = options.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    self.password = password
  }

  /// These settings with a name by which operators find the connection of the listener.
  var ofListener: PostgreSQLSettings {
    var settings = self
    if let place = options.firstIndex(where: { $0.name.utf8.elementsEqual("application_name".utf8) }) {
      settings.options[place].value += ".listener"
    }
    return settings
  }

  /// The database's name, for messages.
  var databaseName: String {
    (options.first { $0.name.utf8.elementsEqual("dbname".utf8) }?.value ?? "").quoted
  }

  /// The parts of an address.
  private static func parse(_ url: String) throws(RecordStoreError) -> [ExactString: String] {
    var message: UnsafeMutablePointer<CChar>?
    // libpq allocates the list and the message, and frees them.
    guard let list = unsafe PQconninfoParse(url, &message) else {
      unsafe PQfreemem(message)
      // Its message repeats parts of the address.
      throw .settingsRefused("the address of the database cannot be read")
    }
    defer { unsafe PQconninfoFree(list) }
    var options: [ExactString: String] = [:]
    var option = unsafe list
    // The list ends with an entry without a name.
    while let name = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        options[ExactString(unsafe String(cString: name))] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    return options
  }
}
