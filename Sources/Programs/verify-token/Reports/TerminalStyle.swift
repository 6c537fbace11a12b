internal import TokenSecurityBase
internal import TokenSecurityPlatform

extension TextStyle {
  /// The style of standard output: coloured if it is a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is set, and as
  /// wide as the variable `COLUMNS` says, else as the terminal is.
  static var forTerminal: TextStyle {
    let noColour = ProcessEnvironment["NO_COLOR"]?.isEmpty == false
    return TextStyle(
      isColoured: StandardOutput.isTerminal && !noColour && ProcessEnvironment["TERM"] != "dumb",
      columns: ProcessEnvironment["COLUMNS"].flatMap(columns) ?? StandardOutput.columns)
  }

  /// A width of 20 to 10,000 columns.
  private static func columns(_ text: String) -> Int? {
    Int(text).flatMap { (20...10_000).contains($0) ? $0 : nil }
  }
}
