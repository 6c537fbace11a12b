internal import AsyncHTTPTransport
internal import CurlTransport

/// The HTTP clients that have a transport. Both pass the same tests.
enum Client: CaseIterable {
  case asyncHTTPClient
  case libcurl

  /// A transport that trusts the certificate in a PEM file alone.
  func transport(trusting certificate: String) -> any HTTPTransport {
    transport(TransportConfiguration(trustRoots: .file(certificate)))
  }

  /// A transport with these environment variables, and this clock for time limits.
  func transport(
    _ configuration: TransportConfiguration, environment: (String) -> String? = { _ in nil },
    timers: any Clock<Duration> = ContinuousClock()
  ) -> any HTTPTransport {
    switch self {
    case .asyncHTTPClient: HTTPClientTransport(configuration, environment: environment, timers: timers)
    case .libcurl: CurlHTTPTransport(configuration, environment: environment, timers: timers)
    }
  }
}
