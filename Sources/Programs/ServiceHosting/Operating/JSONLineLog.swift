internal import Foundation
package import Logging
internal import TokenSecurityBase

/// A log on standard error with one JSON object per line.
///
/// A line has a bounded size, and no character that ends a line, moves a terminal's cursor or changes the
/// direction of text.
package struct JSONLineLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  private let level: LogLevel
  /// The level of this logger alone.
  private var ownLevel: Logger.Level?

  /// Maximum size of a value in bytes. A longer one is cut and ends with an ellipsis.
  static let valueSize = 1_024
  /// Maximum number of values in a line.
  static let valueCount = 40

  package init(level: LogLevel) { self.level = level }

  package var logLevel: Logger.Level {
    get { ownLevel ?? level.current }
    set { ownLevel = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    // Of the HTTP server at each stop: connections that wait are closed then.
    guard !event.message.description.hasPrefix("Waiting on child channel: CancellationError") else { return }
    let all = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
    var values = [
      ("time", Self.time()), ("level", event.level.rawValue), ("message", event.message.description),
    ]
    values += all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
    let bytes = Self.line(values)
    // One system call per line keeps the lines of threads apart.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }

  /// The bytes of a line. A name that occurs twice keeps its first value.
  static func line(_ values: [(name: String, value: String)]) -> [UInt8] {
    var line = JSONObject()
    for (name, value) in values.prefix(valueCount) where line[name] == nil {
      line[name] = .string(cut(value))
    }
    // The writer escapes line ends, controls, and characters that change the direction of text.
    return JSONWriter.write(line) + [UInt8(ascii: "\n")]
  }

  private static func cut(_ value: String) -> String {
    guard value.utf8.count > valueSize else { return value }
    var end = value.utf8.index(value.utf8.startIndex, offsetBy: valueSize)
    // Not within a character's bytes.
    while end > value.utf8.startIndex, value.utf8[end] & 0xC0 == 0x80 { value.utf8.formIndex(before: &end) }
    return String(Substring(value.utf8[..<end])) + "…"
  }

  private static func time() -> String {
    Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension Logger {
  /// Logs a message with metadata. The names are constants of this program.
  package func log(
    _ level: Logger.Level, _ message: Logger.Message, with values: [(name: String, value: String)]
  ) {
    guard level >= logLevel else { return }
    var metadata = Logger.Metadata()
    for (name, value) in values { metadata[name] = .string(value) }
    log(level: level, message, metadata: metadata)
  }
}
