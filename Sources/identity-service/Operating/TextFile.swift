internal import Foundation

/// A small text in a file.
enum TextFile {
  static func read(_ path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20,
      let text = String(data: data, encoding: .utf8)
    else { throw OperatingError("\(path) cannot be read, has more than 1 MiB, or is no UTF-8") }
    return text
  }
}
