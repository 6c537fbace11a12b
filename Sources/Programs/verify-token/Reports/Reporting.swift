internal import TokenSecurityBase

extension OutputFormat {
  /// Writes a report to standard output in this format.
  func write(text: (TextReport) throws -> String, json: () throws -> JSONObject) rethrows {
    switch self {
    case .text: StandardOutput.write(try text(TextReport(style: .forTerminal)))
    case .json: StandardOutput.write(JSONWriter.write(try json()) + [0x0A])
    }
  }
}

extension JSONValue {
  /// A number, or null.
  init(_ number: (some BinaryInteger)?) { self = number.map { .number(JSONNumber($0)) } ?? .null }
}
