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

/// The container of each value of a document, for the paths in errors.
///
/// It is made in one pass, so that a type that tries several forms for each of its values, and ignores their
/// errors, takes linear time.
struct JSONPaths {
  private struct Step {
    let container: UInt32
    /// The place among the container's elements, or among its names and values.
    let index: UInt32
  }

  private let steps: [Step]

  init(_ document: JSONDocument) {
    var steps: [Step] = []
    steps.reserveCapacity(document.end(of: 0))
    // The containers around the current place, the innermost last, with the number of values already seen.
    var open: [(container: JSONDocument.Place, count: Int)] = []
    for place in 0..<document.end(of: 0) {
      while let last = open.last, document.end(of: last.container) == place { open.removeLast() }
      if let last = open.last {
        steps.append(
          Step(
            container: UInt32(truncatingIfNeeded: last.container),
            index: UInt32(truncatingIfNeeded: last.count)))
        open[open.count - 1].count += 1
      } else {
        steps.append(Step(container: 0, index: 0))
      }
      open.append((place, 0))
    }
    self.steps = steps
  }

  /// The names and indices that lead from the root to the value at `place`.
  func path(to place: JSONDocument.Place, in document: JSONDocument) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var place = place
    while place > 0 {
      let step = steps[place]
      let container = Int(step.container)
      if document.kind(at: container) == .object {
        path.append(JSONPathKey(stringValue: document.string(at: place - 1) ?? ""))
      } else {
        path.append(JSONPathKey(intValue: Int(step.index)))
      }
      place = container
    }
    return path.reversed()
  }
}
