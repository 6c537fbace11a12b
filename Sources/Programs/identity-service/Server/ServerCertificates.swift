internal import Foundation
internal import Logging
internal import Metrics
internal import NIOSSL
internal import ServiceLifecycle
internal import Synchronization
internal import TokenSecurityCrypto
internal import ServiceHosting

/// The certificate of new connections. Reloading it does not change open connections.
final class ServerCertificates: Sendable {
  private let configuration: ServiceConfiguration
  private let logger: Logger
  private let state: Mutex<State>

  private struct State {
    var files: ServiceConfiguration.TLSFiles
    /// The digests of the files that were loaded last, be it without success.
    var seen: [[UInt8]?]
  }

  /// Loads the certificate; nil without one.
  ///
  /// - Throws: `OperatingError` with the setting, the file and the reason.
  init?(_ configuration: ServiceConfiguration, logger: Logger) throws {
    let seen = Self.digests(configuration)
    guard let files = try configuration.tlsFiles() else { return nil }
    self.configuration = configuration
    self.logger = logger
    state = Mutex(State(files: files, seen: seen))
    reportEnd()
  }

  private func reportEnd() {
    guard daysLeft < 0 else { return }
    logger.error("the certificate has expired")
  }

  var context: NIOSSLContext { state.withLock { $0.files.context } }
  /// The settings of new connections, as they are then.
  var current: @Sendable () -> NIOSSLContext { { self.context } }

  /// The end of the certificate, in seconds since 1970.
  var end: Double { state.withLock { $0.files.end } }

  /// Loads the files again if their contents have changed. Files that cannot be used change nothing.
  ///
  /// - Parameter isForced: load unchanged files too, and log that.
  func reload(isForced: Bool = false) {
    let contents = Self.digests(configuration)
    guard isForced || state.withLock({ $0.seen }) != contents else { return }
    do {
      guard let files = try configuration.tlsFiles() else { return }
      state.withLock { $0 = State(files: files, seen: contents) }
      Counter(label: "identity_certificate_reloads_total", dimensions: [("outcome", "loaded")]).increment()
      logger.log(.notice, "certificate loaded", with: [("days", "\(Int(daysLeft))")])
      reportEnd()
    } catch {
      // Logged once for each content of the files, and tried again when they change.
      state.withLock { $0.seen = contents }
      Counter(label: "identity_certificate_reloads_total", dimensions: [("outcome", "refused")]).increment()
      logger.log(
        .error, "the new certificate cannot be used; the old one stays in use", with: [("reason", "\(error)")]
      )
    }
  }

  /// The days until the certificate ends; negative after its end.
  var daysLeft: Double { (end - Date.now.timeIntervalSince1970) / 86_400 }

  /// The digests of the files: the private key itself is not kept.
  private static func digests(_ configuration: ServiceConfiguration) -> [[UInt8]?] {
    [configuration.certificate, configuration.privateKey].map { path in
      // Larger files are not certificates; they are refused when they are loaded.
      guard let data = path.flatMap({ FileManager.default.contents(atPath: $0)?.prefix(1 << 20) }) else {
        return nil
      }
      return try? DigestAlgorithm.sha256.hash(Array(data).span)
    }
  }
}

/// Checks the certificate's files at intervals.
struct CertificateWatch: Service {
  let certificates: ServerCertificates
  let seconds: Int

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(seconds))
        guard !Task.isCancelled else { return }
        certificates.reload()
      }
    }
  }
}
