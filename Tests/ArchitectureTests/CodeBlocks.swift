/// The Swift blocks of a page of documentation, or of the documentation comments of a source file.
struct CodeBlocks {
  /// A block's lines, without their indentation, and the number of the first line in the file.
  struct Block {
    var line: Int
    var lines: [Substring] = []
  }

  private(set) var blocks: [Block] = []

  /// Reads what is fenced as `swift`.
  ///
  /// - Parameter text: Markdown.
  init(markdown text: String) {
    read(Array(text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()))
  }

  /// Reads what is fenced as `swift`, and what is indented by four spaces after an empty line.
  ///
  /// - Parameter text: A Swift file.
  init(commentsOf text: String) {
    var comment: [(offset: Int, element: Substring)] = []
    for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("///") {
        let content = trimmed.dropFirst(3)
        comment.append((offset, content.hasPrefix(" ") ? content.dropFirst() : content))
      } else {
        read(comment, indentation: "    ")
        comment = []
      }
    }
  }

  /// - Parameters:
  ///   - lines: Lines of Markdown and their offsets in the file.
  ///   - indentation: What an unfenced block begins with. Nil where indented blocks are no Swift.
  private mutating func read(_ lines: [(offset: Int, element: Substring)], indentation: String? = nil) {
    var block: Block?
    var prefix = ""
    var isFenced = false
    var afterEmptyLine = false
    for (offset, line) in lines {
      let trimmed = line.drop { $0 == " " }
      if isFenced {
        if trimmed.hasPrefix("```") {
          if let block { blocks.append(block) }
          block = nil
          isFenced = false
        } else {
          block?.lines.append(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : trimmed)
        }
      } else if trimmed.hasPrefix("```") {
        prefix = String(repeating: " ", count: line.count - trimmed.count)
        isFenced = true
        block = trimmed == "```swift" ? Block(line: offset + 2) : nil
      } else if let indentation, line.hasPrefix(indentation), block != nil || afterEmptyLine {
        if block == nil { block = Block(line: offset + 1) }
        block?.lines.append(line.dropFirst(indentation.count))
      } else if trimmed.isEmpty {
        // An indented block goes on after empty lines.
        block?.lines.append("")
      } else if let ended = block {
        blocks.append(ended)
        block = nil
      }
      afterEmptyLine = trimmed.isEmpty
    }
    if let block { blocks.append(block) }
  }

  /// A Swift file of the blocks. Its lines have the places of the blocks in diagnostics.
  ///
  /// - Parameters:
  ///   - name: The file's path, for diagnostics.
  ///   - module: A module that readers import without being asked to.
  ///   - isPage: Whether a block sees the names of earlier blocks. It may declare them again.
  /// - Returns: The file: imports and extensions, then functions of everything else.
  func program(name: String, module: String?, isPage: Bool) -> String {
    var header = module.map { "import \($0)\n" } ?? ""
    var body = ""
    for (number, block) in blocks.enumerated() {
      let place = "#sourceLocation(file: \"\(name)\", line: \(block.line))\n"
      var (hoisted, rest) = (place, place)
      var inExtension = false
      for line in block.lines {
        if line.hasPrefix("extension ") { inExtension = true }
        if inExtension || line.hasPrefix("import ") {
          hoisted += "\(line)\n"
          rest += "\n"
        } else {
          hoisted += "\n"
          rest += "\(line)\n"
        }
        if line.hasPrefix("}") { inExtension = false }
      }
      header += "\(hoisted)#sourceLocation()\n"
      let scope = isPage && number > 0 ? "do {" : "private func block\(number)() async throws {"
      body += "\(scope)\n\(rest)#sourceLocation()\n\(isPage ? "" : "}\n")"
    }
    return header + body + String(repeating: "}\n", count: isPage ? blocks.count : 0)
  }
}
