internal import Testing

/// Variables of the environment that are no settings.
@Suite struct ServiceSettingsTests {
  /// Starts a service that cannot start, since its rate is refused after the environment was read.
  private func errors(_ environment: [String: String]) async throws -> String {
    let result = try await Command.run(
      "identity-service serve --data \"$T/data\" --port 0 --rate=-1", environment: environment)
    #expect(result.status == 2)
    return result.errors
  }

  /// Kubernetes describes a Service named identity-service so in the containers of its namespace.
  @Test func variablesOfKubernetesAreNoSettings() async throws {
    let errors = try await errors([
      "IDENTITY_SERVICE_SERVICE_HOST": "10.0.0.11",
      "IDENTITY_SERVICE_SERVICE_PORT": "443",
      "IDENTITY_SERVICE_SERVICE_PORT_HTTPS": "443",
      "IDENTITY_SERVICE_PORT": "tcp://10.0.0.11:443",
      "IDENTITY_SERVICE_PORT_443_TCP": "tcp://10.0.0.11:443",
      "IDENTITY_SERVICE_PORT_443_TCP_PROTO": "tcp",
      "IDENTITY_SERVICE_PORT_443_TCP_PORT": "443",
      "IDENTITY_SERVICE_PORT_443_TCP_ADDR": "10.0.0.11",
      "IDENTITY_SERVICE_PORT_53_UDP": "udp://10.0.0.11:53",
    ])
    #expect(
      errors.contains("rate") && !errors.contains("environment") && !errors.contains("PORT"), "\(errors)")
  }

  @Test(arguments: [
    ("IDENTITY_SERVICE_PORTS", "1"), ("IDENTITY_SERVICE_SERVICE_HOSTS", "a"),
    ("IDENTITY_SERVICE_SERVICE_HOST_", "a"), ("IDENTITY_SERVICE_PORT_443", "1"),
    ("IDENTITY_SERVICE_PORT_443_TLS", "1"), ("IDENTITY_SERVICE_PORT_443_TCP_NAME", "1"),
    ("IDENTITY_SERVICE_PORT_https_TCP", "1"), ("IDENTITY_SERVICE_CERTIFICATES", "chain.pem"),
  ])
  func otherVariablesAreRefused(_ variable: String, _ value: String) async throws {
    let errors = try await errors([variable: value])
    #expect(errors.contains("unknown setting \"\(variable)\" in the environment"), "\(errors)")
  }

  /// The closest names come first; all of them where none is close.
  @Test(arguments: [
    ("IDENTITY_SERVICE_TRUSTED_PROXY", "did you mean IDENTITY_SERVICE_TRUSTED_PROXIES?"),
    ("IDENTITY_SERVICE_PRIVAT_KEY", "did you mean IDENTITY_SERVICE_PRIVATE_KEY?"),
    ("IDENTITY_SERVICE_X", "the settings are IDENTITY_SERVICE_"),
  ])
  func closeNamesAreProposed(_ variable: String, _ hint: String) async throws {
    let errors = try await errors([variable: "127.0.0.1/32"])
    #expect(
      errors.contains("unknown setting \"\(variable)\" in the environment; \(hint)"), "\(errors)")
  }

  @Test func portMustBeANumber() async throws {
    let errors = try await errors(["IDENTITY_SERVICE_PORT": "http://10.0.0.11:443"])
    #expect(errors.contains("IDENTITY_SERVICE_PORT: the setting port is malformed"), "\(errors)")
  }
}
