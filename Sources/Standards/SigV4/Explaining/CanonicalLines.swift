internal import TokenSecurityBase

/// The lines of a canonical request, to change and compare them.
struct CanonicalLines: Sendable, Hashable {
  var method: String
  var path: String
  var query: String
  var headers: [String]
  /// The empty line after the headers.
  var gap = [""]
  var signedHeaders: String
  var payload: String

  /// Splits a canonical request; nil when it has too few lines.
  init?(_ text: String) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard lines.count >= 6 else { return nil }
    method = lines[0]
    path = lines[1]
    query = lines[2]
    headers = Array(lines[3..<lines.count - 3])
    gap = [lines[lines.count - 3]]
    signedHeaders = lines[lines.count - 2]
    payload = lines[lines.count - 1]
  }

  var lines: [String] { [method, path, query] + headers + gap + [signedHeaders, payload] }

  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  /// The name of a line for messages.
  func name(ofLine index: Int) -> String {
    switch index {
    case 0: "method"
    case 1: "path"
    case 2: "query"
    case 3..<3 + headers.count: "header \(Self.name(headers[index - 3]).quoted)"
    case 3 + headers.count: "empty line"
    case 4 + headers.count: "names of the signed headers"
    default: "hash of the body"
    }
  }

  static func name(_ header: String) -> String {
    String(Substring(header.utf8.prefix { $0 != UInt8(ascii: ":") }))
  }

  func value(_ name: String) -> String? {
    headers.first { $0.hasPrefix(name + ":") }.map {
      String(Substring($0.utf8.dropFirst(name.utf8.count + 1)))
    }
  }

  mutating func set(_ name: String, _ value: String) {
    guard let index = headers.firstIndex(where: { $0.hasPrefix(name + ":") }) else { return }
    headers[index] = "\(name):\(value)"
  }
}

/// The first line in which two canonical requests differ.
public struct LineDifference: Sendable, Hashable {
  /// The number of the line, from 1.
  public let line: Int
  /// The name of the line: `path`, `query`, a header.
  public let part: String
  /// The line of this verifier; nil when it has none.
  public let ours: String?
  /// The line of the server; nil when it has none.
  public let theirs: String?

  init?(_ ours: CanonicalLines, _ theirs: CanonicalLines) {
    let mine = ours.lines
    let others = theirs.lines
    for index in 0..<max(mine.count, others.count) {
      let a = index < mine.count ? mine[index] : nil
      let b = index < others.count ? others[index] : nil
      guard a != b else { continue }
      line = index + 1
      part = a == nil ? theirs.name(ofLine: index) : ours.name(ofLine: index)
      self.ours = a
      self.theirs = b
      return
    }
    return nil
  }
}
