/// A member's name or an element's index in the path of a decoding error.
struct JSONPathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension JSONDocument {
  /// The names and indices that lead from the root to the value at `place`.
  package func codingPath(to place: Place) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var container = 0
    while container < place {
      var inner: Place? = nil
      forEachMember(of: container) { (name: Place, value: Place) in
        guard value <= place, place < end(of: value) else { return }
        inner = value
        path.append(JSONPathKey(stringValue: string(at: name) ?? ""))
      }
      for (index, element) in elements(of: container).enumerated()
      where element <= place && place < end(of: element) {
        inner = element
        path.append(JSONPathKey(intValue: index))
      }
      guard let inner else { return path }
      container = inner
    }
    return path
  }
}
