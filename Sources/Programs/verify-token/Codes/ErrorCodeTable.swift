internal import CTokenSecurityPages
internal import TokenSecurityBase

/// The error codes of the pages that list them, with what they mean and what to do.
struct ErrorCodeTable {
  struct Entry {
    let code: String
    /// The title of the section that lists it.
    let section: String
    let meaning: String
    /// What to do; nil where the page does not say.
    let remedy: String?
  }

  let entries: [Entry]

  /// The tables of all pages.
  init() {
    entries = Self.pages.flatMap { page, title in Self.entries(of: page, title) }
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
  ///   - title: the title of tables without a section of their own; nil for those of the page's sections.
  /// - Returns: the rows, in their order.
  static func entries(of page: String, _ title: String?) -> [Entry] {
    var entries: [Entry] = []
    var section = title ?? ""
    var isTable = false
    for line in page.parts(at: "\n") {
      if line.hasPrefix("## ") {
        if title == nil { section = plain(String(line.dropFirst(3))) }
      } else if line.hasPrefix("| code |") {
        isTable = true
      } else if !line.hasPrefix("|") {
        isTable = false
      } else if isTable, !line.hasPrefix("|---") {
        let cells = line.parts(at: "|").map(plain)
        guard cells.count >= 4 else { continue }
        let remedy = cells.count > 4 && !cells[3].isEmpty ? cells[3] : nil
        for code in cells[1].parts(at: ",") {
          entries.append(
            Entry(code: plain(code), section: section, meaning: cells[2], remedy: remedy))
        }
      }
    }
    return entries
  }

  /// Text of Markdown without marks and blanks around it: a link is its text and, in parentheses, its page.
  private static func plain(_ markdown: String) -> String {
    var text: [UInt8] = []
    var rest = markdown.utf8.filter { $0 != UInt8(ascii: "`") }[...]
    while let start = rest.firstRange(ofBytes: "[".utf8),
      let middle = rest[start.upperBound...].firstRange(ofBytes: "](".utf8),
      let end = rest[middle.upperBound...].firstRange(ofBytes: ")".utf8)
    {
      let target = rest[middle.upperBound..<end.lowerBound]
      text += rest[..<start.lowerBound] + rest[start.upperBound..<middle.lowerBound]
      text += Array((target.starts(with: "https:".utf8) ? " (" : " (docs/").utf8) + target + Array(")".utf8)
      rest = rest[end.upperBound...]
    }
    return String(decoding: ArraySlice(text + rest).trimmingBlanks, as: UTF8.self)
  }

  private static var pages: [(page: String, title: String?)] {
    [
      (text(ts_page_error_codes), nil), (text(ts_page_verify_token), "the command verify-token"),
      (text(ts_page_identity_service), "the command identity-service"),
    ]
  }

  private static func text(_ page: Int) -> String {
    // The bytes are constants of the program.
    unsafe String(
      decoding: UnsafeBufferPointer(start: ts_page_bytes(Int32(page)), count: ts_page_size(Int32(page))), as: UTF8.self)
  }
}
