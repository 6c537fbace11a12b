internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Colours for terminals.
struct TextStyle {
  let isColoured: Bool

  /// Coloured if standard output is a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set.
  static var forTerminal: TextStyle {
    let noColour = ProcessEnvironment["NO_COLOR"]?.isEmpty == false
    return TextStyle(
      isColoured: StandardOutput.isTerminal && !noColour && ProcessEnvironment["TERM"] != "dumb")
  }

  func good(_ text: String) -> String { colour("1;32", text) }
  func bad(_ text: String) -> String { colour("1;31", text) }
  func warning(_ text: String) -> String { colour("33", text) }
  func faint(_ text: String) -> String { colour("2", text) }

  private func colour(_ code: String, _ text: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
