/// The texts of an XML document with the names of their elements, for AWS responses.
///
/// Supports elements, attributes (ignored), the five named entities and numeric ones, comments and a
/// declaration. All else is refused, above all document types.
package struct XMLText {
  package struct Leaf {
    /// The names from the outermost element to that with the text.
    package let path: [String]
    /// The number of each of these elements among the elements of its name that follow one another, from 1.
    package let numbers: [Int]
    /// The range of the text.
    package let range: Range<Int>
  }

  package private(set) var leaves: [Leaf] = []

  static let deepest = 16
  static let most = 512

  /// Nil if `bytes` are not such a document.
  package init?(_ bytes: borrowing Span<UInt8>) {
    var stack: [String] = []
    var numbers: [Int] = []
    // The element that came last, at each level.
    var last: [(name: String, number: Int)] = [("", 0)]
    var position = 0
    var textStart = 0
    var isLeaf = false
    var hasRoot = false
    while position < bytes.count {
      guard let open = ByteSearch.firstIndex(of: UInt8(ascii: "<"), in: bytes, from: position) else { break }
      if ByteSearch.has("<?", bytes, at: open) || ByteSearch.has("<!--", bytes, at: open) {
        let isComment = bytes[open + 1] == UInt8(ascii: "!")
        guard let end = Self.find(isComment ? "-->" : "?>", bytes, open) else { return nil }
        position = end
        isLeaf = false
        continue
      }
      guard let close = ByteSearch.firstIndex(of: UInt8(ascii: ">"), in: bytes, from: open) else {
        return nil
      }
      var name: [UInt8] = []
      var index = open + 1
      let isEnd = index < close && bytes[index] == UInt8(ascii: "/")
      if isEnd { index += 1 }
      while index < close, Self.isName(bytes[index]), name.count < 128 {
        name.append(bytes[index])
        index += 1
      }
      let text = String(decoding: name, as: UTF8.self)
      guard !text.isEmpty else { return nil }
      if isEnd {
        guard index == close, stack.last == text else { return nil }
        if isLeaf {
          guard leaves.count < Self.most else { return nil }
          leaves.append(Leaf(path: stack, numbers: numbers, range: textStart..<open))
        }
        stack.removeLast()
        numbers.removeLast()
        last.removeLast()
        isLeaf = false
      } else {
        guard !stack.isEmpty || !hasRoot, stack.count < Self.deepest else { return nil }
        hasRoot = true
        let isEmpty = bytes[close - 1] == UInt8(ascii: "/")
        let level = last.count - 1
        last[level] = (text, last[level].name == text ? last[level].number + 1 : 1)
        if !isEmpty {
          stack.append(text)
          numbers.append(last[level].number)
          last.append(("", 0))
        }
        isLeaf = !isEmpty
        textStart = close + 1
      }
      position = close + 1
    }
    guard hasRoot, stack.isEmpty else { return nil }
  }

  /// The text of the first element whose innermost names are `names`.
  package func range(_ names: String...) -> Range<Int>? {
    leaves.first { $0.path.suffix(names.count).elementsEqual(names) { $0 == $1 } }?.range
  }

  /// The text with entities resolved.
  package static func text(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
    var output: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      // Only the next few bytes are searched for the end, so that a text of ampersands takes linear time.
      guard bytes[index] == UInt8(ascii: "&"),
        let end = (index..<min(index + 11, range.upperBound)).first(where: { bytes[$0] == UInt8(ascii: ";") })
      else {
        output.append(bytes[index])
        index += 1
        continue
      }
      var nameBytes: [UInt8] = []
      nameBytes.append(copying: bytes.extracting(index + 1..<end))
      let name = String(decoding: nameBytes, as: UTF8.self)
      output.append(contentsOf: entity(name).map { Array($0.utf8) } ?? Array("&\(name);".utf8))
      index = end + 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func entity(_ name: String) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~") || byte == UInt8(ascii: ":")
  }

  /// The index after the first `text` from `start` on.
  private static func find(_ text: String, _ bytes: borrowing Span<UInt8>, _ start: Int) -> Int? {
    ByteSearch.firstIndex(of: text, in: bytes, from: start).map { $0 + text.utf8.count }
  }
}
