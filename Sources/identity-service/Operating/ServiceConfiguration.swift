internal import Configuration
internal import TokenSecurityEncodings
internal import Foundation
internal import Logging
internal import SystemPackage

/// How a service is run: from flags, then the environment (`IDENTITY_SERVICE_PORT`), then a JSON file (`{"port": 8008}`), then
/// what is usual.
struct ServiceConfiguration: Sendable {
  var data: String
  var address = "127.0.0.1"
  var port = 8008
  var region = "us-east-1"
  var account = "123456789012"
  var issuer = "https://cognito-identity.amazonaws.com"
  /// PEM files; both or none.
  var certificate: String?
  var privateKey: String?
  /// Names that the service is reached by, with their ports; none where that is not checked.
  var hosts: [String] = []
  /// Roots for providers' certificates, in the place of the machine's.
  var authorities: String?
  /// Requests a second for each address, and calls for each access key; 0 for no limit.
  var rate = 1_000
  var connections = 1_024
  /// Connections of one address; 0 for no limit besides the total.
  var connectionsPerAddress = 256
  /// In seconds: until a request has come whole, until the client has taken a response, until a silent connection is
  /// closed, and until a shutdown closes what is left.
  var requestTimeout = 10
  var responseTimeout = 10
  var idleTimeout = 60
  var shutdownTimeout = 10
  /// In days: how long a signing key signs.
  var rotation = 30
  var logLevel = Logger.Level.notice

  /// The largest body that is read, in bytes: ten tokens of 50,000 characters and what is around them.
  static let bodyLimit = 1 << 20

  /// What was given as flags.
  struct Flags: Sendable {
    var data: String?
    var address: String?
    var port: Int?
    var region: String?
    var account: String?
    var issuer: String?
    var certificate: String?
    var privateKey: String?
    var hosts: [String] = []
    var authorities: String?
    var rate: Int?
    var connections: Int?
    var connectionsPerAddress: Int?
    var requestTimeout: Int?
    var responseTimeout: Int?
    var idleTimeout: Int?
    var shutdownTimeout: Int?
    var rotation: Int?
    var logLevel: String?
  }

  /// Reads the three sources.
  ///
  /// - Parameters:
  ///   - flags: what stands first.
  ///   - file: a JSON file.
  ///   - environment: the process's own, unless said otherwise.
  init(_ flags: Flags, file: String?, environment: [String: String] = ProcessInfo.processInfo.environment)
    async throws
  {
    var providers: [any ConfigProvider] = [
      EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "identityService")
    ]
    try SettingNames.check(environment: environment.keys)
    if let file {
      try SettingNames.check(file: file)
      do {
        providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
      } catch {
        throw OperatingError(
          "the settings in \(file) cannot be read: there is no such file, or it is no JSON object")
      }
    }
    let sources = Sources(reader: ConfigReader(providers: providers))
    guard let data = try await sources.text(flags.data, "data") else {
      throw OperatingError("say where the data is: --data FOLDER, or IDENTITY_SERVICE_DATA")
    }
    self.data = data
    address = try await sources.text(flags.address, "address") ?? address
    port = try await sources.number(flags.port, "port") ?? port
    region = try await sources.text(flags.region, "region") ?? region
    account = try await sources.text(flags.account, "account") ?? account
    issuer = try await sources.text(flags.issuer, "issuer") ?? issuer
    certificate = try await sources.text(flags.certificate, "certificate")
    privateKey = try await sources.text(flags.privateKey, "privateKey")
    authorities = try await sources.text(flags.authorities, "authorities")
    hosts = try await sources.texts(flags.hosts, "hosts").map(\.lowercasedASCII)
    rate = try await sources.number(flags.rate, "rate") ?? rate
    connections = try await sources.number(flags.connections, "connections") ?? connections
    connectionsPerAddress =
      try await sources.number(flags.connectionsPerAddress, "connectionsPerAddress") ?? connectionsPerAddress
    requestTimeout = try await sources.number(flags.requestTimeout, "requestTimeout") ?? requestTimeout
    responseTimeout = try await sources.number(flags.responseTimeout, "responseTimeout") ?? responseTimeout
    idleTimeout = try await sources.number(flags.idleTimeout, "idleTimeout") ?? idleTimeout
    shutdownTimeout = try await sources.number(flags.shutdownTimeout, "shutdownTimeout") ?? shutdownTimeout
    rotation = try await sources.number(flags.rotation, "rotation") ?? rotation
    if let text = try await sources.text(flags.logLevel, "logLevel") {
      guard let level = Logger.Level(rawValue: text) else {
        throw OperatingError("the log level \(text) is none of \(Self.levels)")
      }
      logLevel = level
    }
    try check()
  }

  /// A flag, or else what environment and file say. What cannot be read as what it should be is told, not passed over.
  private struct Sources {
    let reader: ConfigReader

    func text(_ flag: String?, _ key: String) async throws -> String? {
      if let flag { return flag }
      return try await read(key, "a text") { try await reader.fetchString(forKey: ConfigKey(key)) }
    }

    func number(_ flag: Int?, _ key: String) async throws -> Int? {
      if let flag { return flag }
      return try await read(key, "a whole number") { try await reader.fetchInt(forKey: ConfigKey(key)) }
    }

    func texts(_ flag: [String], _ key: String) async throws -> [String] {
      if !flag.isEmpty { return flag }
      return try await read(key, "a list of texts") {
        try await reader.fetchStringArray(forKey: ConfigKey(key))
      } ?? []
    }

    private func read<Value>(
      _ key: String, _ form: String, _ body: () async throws -> Value?
    ) async throws -> Value? {
      do { return try await body() } catch { throw OperatingError("the setting \(key) is not \(form)") }
    }
  }

  static let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
}
