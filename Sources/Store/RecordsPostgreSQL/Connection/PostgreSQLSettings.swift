internal import CTokenSecurityPostgreSQL
public import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Where a PostgreSQL database is, and the bounds of its use.
///
///     var settings = try PostgreSQLSettings(
///       url: "postgresql://service@db.example.com/records", password: .file("/run/secrets/database"))
///     settings.connections = 16
///
/// Over TCP the server's certificate and name are verified (`sslmode=verify-full`), unless the URL has
/// another `sslmode`. On a Unix socket there is no TLS.
public struct PostgreSQLSettings: Sendable {
  /// Where the password is.
  public enum Password: Sendable, Hashable {
    /// The server asks for none, or libpq finds it: in the variable `PGPASSWORD`, or in `~/.pgpass`.
    case none
    /// In a file, which is read for each connection. A line feed at its end is left out. It must be
    /// this user's with mode 600 at most, or root's with mode 640 at most; a symbolic link is followed.
    case file(String)
    /// In a variable of the environment.
    case environment(String)
  }

  /// Maximum number of connections, at least 1; one that listens for changes is added. Default: 8.
  public var connections = 8 { didSet { connections = max(1, connections) } }
  /// Maximum number of calls that wait for a connection, at least 1. Default: 1,024.
  public var waitingLimit = 1_024 { didSet { waitingLimit = max(1, waitingLimit) } }
  /// The longest time of a call, a day at most. Default: 15 seconds.
  public var callTimeout = Duration.seconds(15) { didSet { callTimeout = Self.bounded(callTimeout) } }
  /// The longest time of a statement, a day at most. Default: 5 seconds.
  public var statementTimeout = Duration.seconds(5) {
    didSet { statementTimeout = Self.bounded(statementTimeout) }
  }
  /// The longest time of connecting to one of the hosts, a day at most. Each host has its share of it.
  /// Default: 5 seconds.
  public var connectTimeout = Duration.seconds(5) {
    didSet { connectTimeout = Self.bounded(connectTimeout) }
  }
  /// Maximum number of attempts of a write that conflicts with others, at least 1. Default: 20.
  public var attempts = 20 { didSet { attempts = max(1, attempts) } }

  /// How long a node may write after its last heartbeat. Others count it as gone after 30 seconds.
  package var lease = Duration.seconds(20)
  /// How long records of transactions are kept by a clock that is never set. The outcome of a call that lost its connection is
  /// asked for within its time. Default: twice that time, a minute at least.
  package var recordsKept: Duration {
    get { keptRecords ?? max(.seconds(60), callTimeout * 2) }
    set { keptRecords = newValue }
  }
  private var keptRecords: Duration?

  /// The SQL of the server's clock, which tests set.
  package var clock = "clock_timestamp()"
  /// Maximum difference in seconds between the clocks of a node and the server.
  package var clockTolerance = Duration.clockDifference.wholeSeconds

  private static func bounded(_ duration: Duration) -> Duration {
    // Zero would be no limit for the server.
    max(.milliseconds(1), min(duration, .seconds(86_400)))
  }

  /// The options of libpq, without the password and the hosts.
  private(set) var options: [Option]
  /// The options of each host.
  let hosts: [[Option]]
  let password: Password

  typealias Option = (name: String, value: String)

  /// Settings with defaults.
  ///
  /// - Parameters:
  ///   - url: `postgresql://user@host:port/database`, with options of libpq as query parameters. Several
  ///     hosts are separated by commas. A host can be the folder of a Unix socket:
  ///     `postgresql:///database?host=/run/postgresql`. `connect_timeout` sets ``connectTimeout``.
  ///   - password: where the password is; the URL must have none. Default: none, and libpq looks for one in
  ///     the variable `PGPASSWORD` and in `~/.pgpass`.
  ///   - rootCertificates: a file of PEM certificates to trust. Default: the system's on Debian and Ubuntu.
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
    guard options["sslpassword"] == nil else {
      throw .settingsRefused(
        "the address of the database has a password of a client's key: use a key file without one")
    }
    let defaults: [(ExactString, String)] = [
      // libpq ignores both on a Unix socket.
      ("sslmode", "verify-full"), ("sslrootcert", rootCertificates),
      ("application_name", "records"), ("gssencmode", "disable"),
      // A standby is not a database to write to.
      ("target_session_attrs", "read-write"),
      // A peer that has gone is noticed within ten seconds.
      ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "10000"),
    ]
    for (name, value) in defaults where options[name] == nil { options[name] = value }
    hosts = try Self.hosts(&options)
    // libpq has no time limit for connections that do not block.
    if let text = options.removeValue(forKey: "connect_timeout") {
      guard let seconds = Int64(text), seconds >= 0 else {
        throw .settingsRefused("connect_timeout in the address of the database is not a number of seconds")
      }
      // Zero is not a limit for libpq. Here it leaves the default.
      if seconds > 0 { connectTimeout = Self.bounded(.seconds(min(seconds, 86_400))) }
    }
    self.options = options.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    self.password = password
  }

  /// These settings with a name by which operators find the connection of the listener.
  var ofListener: PostgreSQLSettings {
    var settings = self
    if let index = options.firstIndex(where: { $0.name.utf8.elementsEqual("application_name".utf8) }) {
      settings.options[index].value += ".listener"
    }
    return settings
  }

  /// The options of a connection to each host, in the order in which they are tried.
  var connectionOptions: [[Option]] {
    func value(_ name: String) -> String? {
      options.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
    let timeout = statementTimeout.milliseconds
    // The last option of a name counts.
    let session =
      (value("options").map { $0 + " " } ?? "")
      + "-c statement_timeout=\(timeout) -c idle_in_transaction_session_timeout=\(2 * timeout)"
      + " -c client_min_messages=error"
    let isRandom = value("load_balance_hosts")?.utf8.elementsEqual("random".utf8) ?? false
    return (isRandom ? hosts.shuffled() : hosts).map { options + $0 + [("options", session)] }
  }

  /// The database's name, for messages.
  var databaseName: String {
    (options.first { $0.name.utf8.elementsEqual("dbname".utf8) }?.value ?? "").quoted
  }

  /// The first option of an address that libpq does not have. Only options with a value are named: other
  /// text may be a secret.
  private static func unknownOption(_ url: String) -> String? {
    guard let query = url.utf8.firstIndex(of: UInt8(ascii: "?")),
      let known = unsafe PQconndefaults()
    else { return nil }
    defer { unsafe PQconninfoFree(known) }
    var names: [ExactString] = ["ssl"]
    var option = unsafe known
    // The list ends with an entry without a name.
    while let name = unsafe option.pointee.keyword {
      names.append(ExactString(unsafe String(cString: name)))
      unsafe option += 1
    }
    let options = String(Substring(url.utf8[url.utf8.index(after: query)...])).parts(at: "&")
    return options.lazy.map { $0.parts(at: "=", most: 2) }
      .first { $0.count == 2 && $0[0].utf8.count <= 40 && !names.contains(ExactString($0[0])) }?[0]
  }

  /// The parts of an address.
  private static func parse(_ url: String) throws(RecordStoreError) -> [ExactString: String] {
    var message: UnsafeMutablePointer<CChar>?
    // libpq allocates the list and the message, and frees them.
    guard let list = unsafe PQconninfoParse(url, &message) else {
      unsafe PQfreemem(message)
      // Its message repeats parts of the address.
      throw .settingsRefused(
        unknownOption(url).map { "the address of the database has an unknown option, \($0.quoted)" }
          ?? "the address of the database cannot be read")
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
