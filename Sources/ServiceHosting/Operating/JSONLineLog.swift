internal import TokenSecurityEncodings
internal import Foundation
package import Logging

/// A log on standard error with one JSON object per line.
///
/// A line has a bounded size, and no character that ends a line, moves a terminal's cursor or changes the
/// direction of text.
package struct JSONLineLog: LogHandler {
  package var metadata: Logger.Metadata = [:]
  private let level: LogLevel
  /// The level of this logger alone.
  private var ownLevel: Logger.Level?

  /// The most bytes of a value. A longer one is cut and ends with an ellipsis.
  static let valueSize = 1_024
  /// The most values in a line.
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
    return escaped(JSONWriter.write(line)) + [UInt8(ascii: "\n")]
  }

  private static func cut(_ value: String) -> String {
    guard value.utf8.count > valueSize else { return value }
    var end = value.utf8.index(value.utf8.startIndex, offsetBy: valueSize)
    // Not within a character's bytes.
    while end > value.utf8.startIndex, value.utf8[end] & 0xC0 == 0x80 { value.utf8.formIndex(before: &end) }
    return String(Substring(value.utf8[..<end])) + "…"
  }

  /// Escapes what JSON permits unescaped in strings: DEL and the control characters of ISO 8859, line and
  /// paragraph separators, and characters that change the direction of text.
  private static func escaped(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + 1)
    var index = 0
    while index < json.count {
      let byte = json[index]
      let next = index + 1 < json.count ? json[index + 1] : 0
      let last = index + 2 < json.count ? json[index + 2] : 0
      switch (byte, next, last) {
      case (0x7F, _, _): append(0x7F, to: &result)
      case (0xC2, 0x80...0x9F, _):
        append(UInt32(next), to: &result)
        index += 1
      case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xE2, 0x81, 0xA6...0xA9):
        append(0x2000 + UInt32(next & 0x3F) << 6 + UInt32(last & 0x3F), to: &result)
        index += 2
      default: result.append(byte)
      }
      index += 1
    }
    return result
  }

  private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    let digits = String(scalar, radix: 16)
    bytes += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
    bytes += Array(digits.utf8)
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
