internal import CTokenSecurityPages
internal import TokenSecurityBase

/// The error codes of the pages that list them, with what they mean and what to do.
struct ErrorCodeTable {
  struct Entry {
    let code: String
    /// The title of the section that lists it.
    let section: String
    /// The exception that a service answers with; nil for other errors.
    let exception: String?
    let meaning: String
    /// What to do; nil where the page does not say.
    let remedy: String?
  }

  let entries: [Entry]

  /// The tables of all pages.
  init() {
    entries = Self.pages.flatMap { name, page, title in
      Self.entries(of: Self.text(page), named: name, title)
    }
  }

  /// The codes, each once.
  var codes: [String] {
    var known: Set<ExactString> = []
    return entries.map(\.code).filter { known.insert(ExactString($0)).inserted }
  }

  /// Finds the entries of a code. Programs and libraries may have one with the same name each.
  func entries(of code: String) -> [Entry] { entries.filter { $0.code.isIdentical(to: code) } }

  /// The tables in a page: those whose first column is `code`.
  ///
  /// - Parameters:
  ///   - page: Markdown.
  ///   - name: the page's name in `docs`.
  ///   - title: the title of tables without a section of their own; nil for those of the page's sections.
  /// - Returns: the rows, in their order.
  static func entries(of page: String, named name: String, _ title: String?) -> [Entry] {
    var entries: [Entry] = []
    var section = title ?? ""
    // The titles of a table's columns; none outside of tables.
    var columns: [String] = []
    for line in page.parts(at: "\n") {
      if title == nil, line.hasPrefix("## ") { section = plain(String(line.dropFirst(3)), of: name) }
      guard line.hasPrefix("|") else {
        columns = []
        continue
      }
      let cells = line.parts(at: "|").map { plain($0, of: name) }
      if cells[1].isIdentical(to: "code") {
        columns = cells
        continue
      }
      func cell(_ column: String) -> String? {
        guard let index = columns.firstIndex(where: { $0.isIdentical(to: column) }), index < cells.count
        else { return nil }
        return cells[index].isEmpty ? nil : cells[index]
      }
      guard let meaning = cell("meaning"), !line.hasPrefix("|---") else { continue }
      entries.append(
        Entry(
          code: cells[1], section: section, exception: cell("exception"), meaning: meaning,
          remedy: cell("what to do")))
    }
    return entries
  }

  /// Text of Markdown without marks and blanks around it: a link is its text and, in parentheses, its page.
  private static func plain(_ markdown: String, of page: String) -> String {
    var text: [UInt8] = []
    var rest = markdown.utf8.filter { $0 != UInt8(ascii: "`") }[...]
    while let start = rest.firstRange(ofBytes: "[".utf8),
      let middle = rest[start.upperBound...].firstRange(ofBytes: "](".utf8),
      let end = rest[middle.upperBound...].firstRange(ofBytes: ")".utf8)
    {
      let target = rest[middle.upperBound..<end.lowerBound]
      text += rest[..<start.lowerBound] + rest[start.upperBound..<middle.lowerBound]
      let isAnchor = target.first == UInt8(ascii: "#")
      let folder = target.starts(with: "https:".utf8) ? "" : "docs/" + (isAnchor ? page : "")
      text += Array(" (\(folder)".utf8) + target + Array(")".utf8)
      rest = rest[end.upperBound...]
    }
    return String(decoding: ArraySlice(text + rest).trimmingBlanks, as: UTF8.self)
  }

  private static var pages: [(name: String, page: Int, title: String?)] {
    [
      ("error-codes.md", page_error_codes, nil),
      ("verify-token.md", page_verify_token, "the command verify-token"),
      ("identity-service.md", page_identity_service, "the command identity-service"),
      ("sidecar.md", page_sidecar, "the sidecar"),
    ]
  }

  private static func text(_ page: Int) -> String {
    // The bytes are constants of the program.
    unsafe String(
      decoding: UnsafeBufferPointer(start: page_bytes(Int32(page)), count: page_size(Int32(page))),
      as: UTF8.self)
  }
}
