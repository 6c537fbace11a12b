internal import Foundation

/// Small text files.
enum TextFile {
  /// Reads a file of UTF-8 text, at most 1 MiB.
  ///
  /// - Throws: `OperatingError` with the path and the reason.
  static func read(_ path: String) throws -> String {
    try checkReadable(path)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OperatingError("\(path) cannot be read", code: .fileUnusable)
    }
    guard data.count <= 1 << 20 else {
      throw OperatingError("\(path) has more than 1 MiB", code: .fileUnusable)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw OperatingError("\(path) is not UTF-8", code: .fileUnusable)
    }
    return text
  }

  /// Checks that this process may read a file. `setting` is the setting that names the file.
  static func checkReadable(_ path: String, setting: String? = nil) throws {
    guard unsafe access(path, R_OK) != 0 else { return }
    let reason = unsafe String(cString: strerror(errno))
    throw OperatingError(
      "\(setting.map { $0 + ": " } ?? "")\(path) cannot be read: \(reason)", code: .fileUnusable)
  }
}
