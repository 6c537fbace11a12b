internal import TokenSecurityBase
public import TokenSecurityCrypto

extension QRCode {
  /// The code for a terminal, two rows of squares per line. Light squares are drawn, for light text on a dark
  /// background.
  ///
  /// - Parameter isColoured: whether to set these colours with escape sequences.
  /// - Returns: the text in UTF-8.
  public borrowing func terminal(isColoured: Bool) -> SecretBytes {
    var text: [UInt8] = []
    let range = -2..<(side + 2)
    for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
      if isColoured { text.append("\u{1B}[37;40m" as StaticString) }
      for column in range {
        let isUpperLight = !isDark(row, column)
        let isLowerLight = !isDark(row + 1, column) && row + 1 < range.upperBound
        switch (isUpperLight, isLowerLight) {
        case (true, true): text.append("█" as StaticString)
        case (true, false): text.append("▀" as StaticString)
        case (false, true): text.append("▄" as StaticString)
        case (false, false): text.append(" " as StaticString)
        }
      }
      if isColoured { text.append("\u{1B}[0m" as StaticString) }
      text.append(UInt8(ascii: "\n"))
    }
    return SecretBytes(wiping: &text)
  }

  /// The code as SVG, one unit per square.
  ///
  /// - Returns: the file.
  public borrowing func svg() -> SecretBytes {
    let size = side + 2 * Self.margin
    var text: [UInt8] = []
    text.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">
      <rect width="\(size)" height="\(size)" fill="#fff"/>
      <path fill="#000" d="
      """)
    for row in 0..<side {
      var column = 0
      while column < side {
        let start = column
        while isDark(row, column) { column += 1 }
        if column > start {
          text.append("M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1h-\(column - start)z")
        }
        column += 1
      }
    }
    text.append("\"/>\n</svg>\n" as StaticString)
    return SecretBytes(wiping: &text)
  }
}
