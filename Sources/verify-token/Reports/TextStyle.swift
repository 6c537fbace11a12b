internal import TokenSecurityPlatform
internal import TokenSecurityEncodings

/// Colours, where there is a terminal that shows them and nobody asked for none.
struct TextStyle {
  let isColoured: Bool

  /// For standard output; obeys `NO_COLOR` (no-color.org) and `TERM=dumb`.
  static var forTerminal: TextStyle {
    let refuses = (ProcessEnvironment["NO_COLOR"] ?? "").isEmpty == false
    return TextStyle(
      isColoured: StandardOutput.isTerminal && !refuses && ProcessEnvironment["TERM"] != "dumb")
  }

  func good(_ text: String) -> String { colour("1;32", text) }
  func bad(_ text: String) -> String { colour("1;31", text) }
  func warning(_ text: String) -> String { colour("33", text) }
  func faint(_ text: String) -> String { colour("2", text) }

  private func colour(_ code: String, _ text: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
