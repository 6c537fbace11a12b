internal import CognitoIdentity
internal import TokenLifetime
internal import TokenSecurityPlatform
internal import ServiceHosting

/// The recorded metrics, and the figures that are read when they are requested.
struct ServiceMetrics {
  let recorded: PrometheusText
  let process: ProcessFigures
  let service: IdentityPoolService
  let readiness: ServiceReadiness
  let connections: ConnectionTable
  let certificates: ServerCertificates?

  func text() -> String { recorded.text(with: process.readings + readings) }

  private var readings: [MetricReading] {
    let now = Timestamp.now
    var readings = [
      MetricReading(
        name: "identity_service_info", help: "The version of the service.", kind: .gauge,
        dimensions: [("version", ProgramVersion.current)], value: 1),
      MetricReading(
        name: "identity_ready", help: "1 if the service can answer calls, otherwise 0.", kind: .gauge,
        value: readiness.problem == nil ? 1 : 0),
      MetricReading(
        name: "identity_open_connections", help: "The open connections of the public address.",
        kind: .gauge, value: Double(connections.count)),
    ]
    if let key = service.keys.schedule.last(where: { $0.signsFrom <= now }) {
      readings.append(
        MetricReading(
          name: "identity_signing_key_age_seconds", help: "The time since the current key signs.",
          kind: .gauge, value: (now - key.signsFrom) / .seconds(1)))
    }
    if let certificates {
      readings.append(
        MetricReading(
          name: "identity_certificate_days_left", help: "The days until the certificate ends.",
          kind: .gauge, value: certificates.daysLeft))
    }
    return readings
  }
}
