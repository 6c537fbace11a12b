internal import TokenSecurityEncodings
internal import Foundation
internal import Logging

/// A log on standard error with one JSON object per line.
///
/// The messages contain operations, error codes, ids of pools and identities, and durations; no tokens,
/// signatures, secrets or identifiers of developers' users.
struct JSONLineLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let label: String

  init(label: String, level: Logger.Level) {
    self.label = label
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var line = JSONObject()
    line["time"] = .string(Self.time())
    line["level"] = .string(event.level.rawValue)
    line["message"] = .string(event.message.description)
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) where line[key] == nil {
      line[key] = .string("\(value)")
    }
    let bytes = JSONWriter.write(line) + [UInt8(ascii: "\n")]
    // One system call per line keeps the lines of threads apart.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }

  private static func time() -> String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension Logger {
  /// Logs a message with metadata. The names are constants of this program.
  func log(_ level: Logger.Level, _ message: Logger.Message, with values: [(name: String, value: String)]) {
    guard level >= logLevel else { return }
    var metadata = Logger.Metadata()
    for (name, value) in values { metadata[name] = .string(value) }
    log(level: level, message, metadata: metadata)
  }
}
