/// Texts for comparison, stored in one array: a search touches no reference counts of strings, for which
/// threads would contend.
package struct TextTable: Sendable {
  private let bytes: [UInt8]
  private let ends: [Int]

  /// A table of `texts`, in their order.
  package init(_ texts: [String]) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for text in texts {
      bytes += Array(text.utf8)
      ends.append(bytes.count)
    }
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of texts.
  package var count: Int { ends.count }

  /// True if the string at `place` of `document` is the text at `index`, byte for byte.
  package func matches(_ index: Int, _ document: JSONDocument, at place: JSONDocument.Place) -> Bool {
    document.isString(at: place, bytes.span.extracting(range(index)))
  }

  /// True if the string at `place` of `document` is one of the texts, byte for byte.
  package func contains(_ document: JSONDocument, at place: JSONDocument.Place) -> Bool {
    index(of: document, at: place) != nil
  }

  /// The index of the first text that is the string at `place` of `document`, byte for byte, or nil.
  package func index(of document: JSONDocument, at place: JSONDocument.Place) -> Int? {
    for index in ends.indices where matches(index, document, at: place) { return index }
    return nil
  }

  /// True if `bytes` begins with the text at `index`.
  package func begins(_ bytes: borrowing Span<UInt8>, _ index: Int) -> Bool {
    ByteWords.areEqual(bytes, from: 0, self.bytes.span.extracting(range(index)))
  }

  /// The place of the root object's member whose name is the text at `index`, or nil.
  package func member(_ index: Int, of document: JSONDocument) -> JSONDocument.Place? {
    document.member(bytes.span.extracting(range(index)), of: 0)
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
