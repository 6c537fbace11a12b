internal import TokenSecurityBase

// Lists and maps as members.

extension MemberKind {
  /// True where messages leave the value out.
  var isHidden: Bool {
    switch self {
    case .text(let bounds): bounds.isSensitive
    case .secret, .structure, .blob: true
    case .integer, .boolean, .timestamp, .choice: false
    case .list(let elements, _): elements.isHidden
    case .map(let keys, let values, _, let isSensitive): isSensitive || keys.isSensitive || values.isHidden
    }
  }
}

extension Members {
  /// The state that the reading of elements changes.
  struct Elements {
    let isElement: Bool
    let broken: Set<ConstraintKind>
  }

  mutating func beginElements() -> Elements {
    let outer = Elements(isElement: isElement, broken: brokenElements)
    if !isElement {
      // Room for the element, too.
      path.reserveCapacity(path.count + 2)
      path.append(.member(name))
    }
    isElement = true
    brokenElements = []
    return outer
  }

  /// Returns what constraints of elements are broken.
  mutating func endElements(_ outer: Elements) -> Set<ConstraintKind> {
    let broken = brokenElements
    isElement = outer.isElement
    brokenElements = outer.broken
    if !isElement { path.removeLast() }
    return broken
  }
}

extension Array: MemberValue where Element: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: ListBounds<Element.Bounds>) -> MemberKind {
    .list(Element.kind(bounds.elements), bounds.count)
  }

  /// None: each list has constraints of its own.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: ListBounds<Element.Bounds>) -> [String] {
    Element.constraints(bounds.elements)
  }

  /// Reads a list. Elements that are null are left out.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(
    _ place: MemberPlace, _ bounds: ListBounds<Element.Bounds>, from m: inout Members
  ) -> [Element]? {
    guard let places = m.input.elements(place) else {
      m.mismatch(at: place, m.input.conversion(of: place, orScalar: "Expected list or null"))
      return nil
    }
    let broken = bounds.count.broken(by: places.count)
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: kind(bounds).isHidden)
      return nil
    }
    var elements: [Element] = []
    elements.reserveCapacity(places.count)
    let outer = m.beginElements()
    for (index, element) in places.enumerated() where !m.input.isNull(element) {
      m.path.append(.element(index + 1))
      if let value = Element.read(element, bounds.elements, from: &m) { elements.append(value) }
      m.path.removeLast()
    }
    let brokenElements = m.endElements(outer)
    guard brokenElements.isEmpty else {
      m.record(
        Constraint.elements(Element.constraints(bounds.elements)), of: brokenElements, at: place,
        isSensitive: kind(bounds).isHidden)
      return nil
    }
    return elements
  }

  /// Writes the list.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: ListBounds<Element.Bounds>, to m: inout Members) {
    m.output.open(.list)
    for element in self {
      m.output.beginElement()
      element.write(bounds.elements, to: &m)
      m.output.endElement()
    }
    m.output.close(.list)
  }
}

extension Dictionary: MemberValue where Key == ExactString, Value: MemberValue {
  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: MapBounds<Value.Bounds>) -> MemberKind {
    .map(
      keys: bounds.keys, values: Value.kind(bounds.values), bounds.count, isSensitive: bounds.isSensitive)
  }

  /// None: each map has constraints of its own.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: MapBounds<Value.Bounds>) -> [String] {
    Value.constraints(bounds.values)
  }

  /// Reads a map. Entries whose value is null are left out.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  public static func read(
    _ place: MemberPlace, _ bounds: MapBounds<Value.Bounds>, from m: inout Members
  ) -> [ExactString: Value]? {
    guard let entries = m.input.entries(of: place) else {
      m.mismatch(at: place, m.input.conversion(of: place, orScalar: "Expected map or null"))
      return nil
    }
    let broken = bounds.count.broken(by: entries.count)
    guard broken.isEmpty else {
      m.record(broken, at: place, isSensitive: kind(bounds).isHidden)
      return nil
    }
    var map: [ExactString: Value] = Dictionary(minimumCapacity: entries.count)
    var brokenKeys: Set<ConstraintKind> = []
    let outer = m.beginElements()
    for (key, element) in entries {
      for constraint in bounds.keys.broken(by: key.utf8.span) {
        brokenKeys.insert(Constraint.kind(constraint))
      }
      guard !m.input.isNull(element) else { continue }
      m.path.append(.key(key))
      if let value = Value.read(element, bounds.values, from: &m) { map[ExactString(key)] = value }
      m.path.removeLast()
    }
    let brokenValues = m.endElements(outer)
    guard !brokenKeys.isEmpty || !brokenValues.isEmpty else { return map }
    let isHidden = kind(bounds).isHidden
    if !brokenKeys.isEmpty {
      m.record(
        Constraint.keys(bounds.keys.constraints), of: brokenKeys, at: place, isSensitive: isHidden)
    }
    if !brokenValues.isEmpty {
      m.record(
        Constraint.values(Value.constraints(bounds.values)), of: brokenValues, at: place,
        isSensitive: isHidden)
    }
    return nil
  }

  /// Writes the map, ordered by the keys' bytes.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  public func write(_ bounds: MapBounds<Value.Bounds>, to m: inout Members) {
    m.output.open(.map)
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      m.output.beginEntry(key.text)
      value.write(bounds.values, to: &m)
      m.output.endEntry()
    }
    m.output.close(.map)
  }
}
