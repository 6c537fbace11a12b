internal import TokenSecurityBase

/// The members of a structure while they are read, written or listed.
public struct Members {
  private enum Mode {
    case reading
    case writing
    case recording
    /// The member with this name; of a structure, its member with the second name.
    case finding(String, ExactString?)
  }

  private let mode: Mode
  var input: MemberInput
  var output: MemberWriter
  private(set) var recorded: [MemberSchema] = []

  /// The structure whose members are read.
  private var container = MemberPlace.root
  // The containers on the way to the current member.
  var path: [PathPart] = []
  private(set) var name = ""
  /// True while elements of a list or map are read, whose broken constraints are reported for the whole.
  var isElement = false
  /// The kinds of broken constraints of elements.
  var brokenElements: Set<ConstraintKind> = []
  private var violations: [Violation] = []
  private var failure: OperationError?
  private var refusesUnknown = false
  /// True in responses: choices that are not declared are left out of lists, and optional members are nil.
  var skipsUnknownChoices = false
  /// True while a member is read that may be absent.
  var isOptional = false
  private var ignoresLocations = false
  /// The members that are ignored.
  var ignored = IgnoredMembers()
  private var found = 0
  /// The texts of the member that is searched for.
  private(set) var texts: [String] = []
  /// True where a secret was read, so that the body is wiped.
  var hasSecrets = false

  static let mostViolations = 50

  /// Reads a request. `ignoresLocations` is for values that have all members in one object.
  init(reading input: consuming MemberInput, refusesUnknown: Bool, ignoresLocations: Bool = false) {
    mode = .reading
    self.ignoresLocations = ignoresLocations
    self.input = input
    self.refusesUnknown = refusesUnknown
    output = MemberWriter(.json)
  }

  init(writing output: MemberWriter) {
    mode = .writing
    self.output = output
    self.output.reserve()
    input = MemberInput()
  }

  init(recording: Void) {
    mode = .recording
    output = MemberWriter(.json)
    input = MemberInput()
  }

  init(finding name: ExactString) {
    let parts = name.text.parts(at: ".", most: 2)
    mode = .finding(parts[0], parts.count == 2 ? ExactString(parts[1]) : nil)
    output = MemberWriter(.json)
    input = MemberInput()
  }

  // MARK: Declaring

  // Declarations are in other modules. The attributes make a copy of each function for the usual types; the
  // work is in functions of its own, so that finding the copy needs no metadata of generic types.

  /// A member that must be present.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the property.
  ///   - bounds: the bounds.
  ///   - location: where a request has it.
  @_specialize(where Value == String)
  @_specialize(where Value == Int64)
  @_specialize(where Value == Bool)
  @_specialize(where Value == SecretText)
  @_specialize(where Value == [String])
  @_specialize(where Value == [ExactString: String])
  public mutating func required<Value: MemberValue>(
    _ name: String, _ value: inout Value, _ bounds: Value.Bounds, in location: MemberLocation = .body
  ) {
    visit(name, &value, bounds, location)
  }

  /// A member that may be absent. `null` means absent.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the property.
  ///   - bounds: the bounds.
  ///   - location: where a request has it.
  @_specialize(where Value == String)
  @_specialize(where Value == Int64)
  @_specialize(where Value == Bool)
  @_specialize(where Value == SecretText)
  @_specialize(where Value == [String])
  @_specialize(where Value == [ExactString: String])
  @_specialize(where Value == [ExactString: SecretText])
  public mutating func optional<Value: MemberValue>(
    _ name: String, _ value: inout Value?, _ bounds: Value.Bounds, in location: MemberLocation = .body
  ) {
    visit(name, optional: &value, bounds, location)
  }

  @inline(never)
  private mutating func visit<Value: MemberValue>(
    _ name: String, _ value: inout Value, _ bounds: Value.Bounds, _ location: MemberLocation
  ) {
    switch mode {
    case .reading:
      self.name = name
      guard let place = place(name, location) else {
        record(.null, Constraint.notNull, [.missing])
        return
      }
      isOptional = false
      if let read = Value.read(place, bounds, from: &self) { value = read }
    case .writing:
      if output.begin(name, location) {
        value.write(bounds, to: &self)
        output.end(name, location)
      }
    case .recording: list(name, Value.kind(bounds), isRequired: true, location)
    case .finding(let wanted, let inner): if wanted == name { find(value, inner) }
    }
  }

  @inline(never)
  private mutating func visit<Value: MemberValue>(
    _ name: String, optional value: inout Value?, _ bounds: Value.Bounds, _ location: MemberLocation
  ) {
    switch mode {
    case .reading:
      guard let place = place(name, location) else { return }
      self.name = name
      isOptional = true
      value = Value.read(place, bounds, from: &self)
    case .writing:
      if let value, output.begin(name, location) {
        value.write(bounds, to: &self)
        output.end(name, location)
      }
    case .recording: list(name, Value.kind(bounds), isRequired: false, location)
    case .finding(let wanted, let inner): if let value, wanted == name { find(value, inner) }
    }
  }

  private mutating func find(_ value: some MemberValue, _ inner: ExactString?) {
    if let inner {
      texts = (value as? any Structure)?.texts(of: inner) ?? []
      return
    }
    if let text = value as? String { texts = [text] }
    if let list = value as? [String] { texts = list }
  }

  private mutating func list(
    _ name: String, _ kind: MemberKind, isRequired: Bool, _ location: MemberLocation
  ) {
    recorded.append(
      MemberSchema(name: ExactString(name), kind: kind, isRequired: isRequired, location: location))
  }

  // MARK: Reading

  private mutating func place(_ name: String, _ location: MemberLocation) -> MemberPlace? {
    switch ignoresLocations ? .body : location {
    case .body:
      guard let place = input.member(name, of: container) else { return nil }
      found &+= 1
      return input.isNull(place) ? nil : place
    case .path(let label): return input.label(label.text)
    case .query(let parameter): return input.parameter(parameter.text)
    case .header(let field): return input.header(field.text)
    }
  }

  /// Reads the members of a structure at `place`.
  mutating func readStructure(_ value: inout some Structure, at place: MemberPlace) {
    let outer = (container, name, found, isElement)
    if place != .root, !isElement { path.append(.member(name)) }
    container = place
    found = 0
    isElement = false
    value.members(&self)
    if refusesUnknown || ignored.areNoted, failure == nil, found < input.count(of: place) {
      let most = refusesUnknown ? 1 : ignored.room
      let names = most == 0 ? [] : input.names(of: place, notAmong: type(of: value).schema, atMost: most)
      if refusesUnknown { failure = .memberUnknown(names.first ?? "") } else { ignored.note(names, in: path) }
    }
    (container, name, found, isElement) = outer
    if place != .root, !isElement { path.removeLast() }
  }

  /// Records that a value has another type than its member. The first one refuses the request.
  mutating func mismatch(at place: MemberPlace, _ sentence: String) {
    if failure == nil { failure = .memberType(rule: sentence) }
  }

  /// Records broken constraints of the current member.
  mutating func record(_ broken: [String], at place: MemberPlace, isSensitive: Bool) {
    guard !isElement else {
      for constraint in broken { brokenElements.insert(Constraint.kind(constraint)) }
      return
    }
    for constraint in broken {
      record(constraint, of: [Constraint.kind(constraint)], at: place, isSensitive: isSensitive)
    }
  }

  /// Records a constraint of the current member that breaks constraints of these kinds.
  mutating func record(
    _ constraint: String, of kinds: Set<ConstraintKind>, at place: MemberPlace, isSensitive: Bool
  ) {
    guard !isElement else {
      brokenElements.formUnion(kinds)
      return
    }
    record(isSensitive ? .hidden : input.shown(place).map { .shown($0) } ?? .hidden, constraint, kinds)
  }

  private mutating func record(
    _ value: Violation.Value, _ constraint: String, _ kinds: Set<ConstraintKind>
  ) {
    guard violations.count < Self.mostViolations else { return }
    let path = PathPart.text(path + [.member(name)])
    violations.append(Violation(path: path, value: value, constraint: constraint, kinds: kinds))
  }

  /// The refusal of the request: a value of another type, or all violations; nil for none.
  var refusal: OperationError? {
    failure ?? (violations.isEmpty ? nil : .validation(violations))
  }
}
