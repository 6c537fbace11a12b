/// Names like a misspelt one.
package enum NearNames {
  /// Finds the names that differ from a word in two bytes, or in a quarter of them. Of three bytes one may differ, and of fewer
  /// none: `on` is not nearly `off`.
  ///
  /// - Parameters:
  ///   - word: the misspelt name.
  ///   - names: the names that there are.
  /// - Returns: those of them that are like the word, in their order.
  package static func of(_ word: String, among names: [String]) -> [String] {
    names.filter { name in
      let length = min(word.utf8.count, name.utf8.count)
      return distance(word, name) <= (length < 4 ? length / 3 : max(2, length / 4))
    }
  }

  /// Asks about names like a misspelt one: `did you mean pool or pools?`
  ///
  /// - Parameter names: names that are like it.
  /// - Returns: the question; nil for no names.
  package static func question(_ names: [String]) -> String? {
    names.isEmpty ? nil : "did you mean \(names.joined(separator: " or "))?"
  }

  /// The least number of bytes to insert, remove or replace to make one text from the other (Levenshtein). A
  /// text that is much longer than names is far from all.
  private static func distance(_ first: String, _ second: String) -> Int {
    guard first.utf8.count <= 64 else { return .max }
    var row = Array(0...second.utf8.count)
    for (line, byte) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.utf8.enumerated() {
        let value = min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == other ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = value
      }
    }
    return row[second.utf8.count]
  }
}
