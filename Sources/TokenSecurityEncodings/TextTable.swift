/// Texts to compare with, laid end to end in one array: looking through them touches no reference counts
/// but the array's own, over which two cores would otherwise contend.
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

  /// How many texts there are.
  package var count: Int { ends.count }

  /// True where the text at `index` is the string at `place` of `document`, byte for byte.
  package func matches(_ index: Int, _ document: JSONDocument, at place: JSONDocument.Place) -> Bool {
    document.isString(at: place, bytes.span.extracting(range(index)))
  }

  /// True where one of the texts is the string at `place` of `document`, byte for byte.
  package func contains(_ document: JSONDocument, at place: JSONDocument.Place) -> Bool {
    for index in ends.indices where matches(index, document, at: place) { return true }
    return false
  }

  /// The value of the member of the document's object that is called as the text at `index`, or nil.
  package func member(_ index: Int, of document: JSONDocument) -> JSONDocument.Place? {
    document.member(bytes.span.extracting(range(index)), of: 0)
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
