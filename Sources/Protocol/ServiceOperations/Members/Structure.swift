/// The input or output of an operation, or a structure inside one.
///
///     struct Input: Structure {
///       var poolID = ""
///       var logins: [ExactString: String]?
///
///       mutating func members(_ m: inout Members) {
///         m.required("IdentityPoolId", &poolID, TextBounds(1...55))
///         m.optional("Logins", &logins, .init(0...10, keys: TextBounds(1...128), values: .any))
///       }
///     }
///
/// One function declares the members: it reads them from a request, writes them to one, and lists them for
/// documentation and tests. Its calls must not depend on values. A required property begins with any value of
/// its type, which no handler sees.
public protocol Structure: MemberValue, CustomStringConvertible, CustomReflectable
where Bounds == NoBounds {
  /// A value without members.
  init()

  /// Declares the members.
  ///
  /// - Parameter m: reads, writes or lists members.
  mutating func members(_ m: inout Members)

  /// True in the output of a call that changed nothing, although its operation can. Such a call needs no line
  /// in an audit log. Default: false.
  var changedNothing: Bool { get }
}

extension Structure {
  /// False: the call may have changed something.
  public var changedNothing: Bool { false }

  /// A value whose members a closure sets.
  ///
  /// - Parameter set: sets members.
  public init(_ set: (inout Self) -> Void) {
    self.init()
    set(&self)
  }

  /// The members as JSON, sensitive values left out.
  public var description: String {
    var copy = self
    var members = Members(writing: MemberWriter(.json, isRedacting: true))
    members.writeStructure(&copy)
    return String(decoding: members.output.bytes, as: UTF8.self)
  }

  /// A mirror without children, so that no dump shows sensitive values.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The structure's kind.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  public static func kind(_ bounds: NoBounds) -> MemberKind { .structure(schema) }

  /// None: its members have constraints of their own.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the constraints.
  public static func constraints(_ bounds: NoBounds) -> [String] { [] }

  /// Reads the members.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: none.
  ///   - m: the request.
  /// - Returns: the structure; nil for a value of another type.
  public static func read(_ place: MemberPlace, _ bounds: NoBounds, from m: inout Members) -> Self? {
    guard m.input.isStructure(place) else {
      m.mismatch(at: place, m.input.conversion(of: place, orScalar: "Expected null"))
      return nil
    }
    var value = Self()
    m.readStructure(&value, at: place)
    return value
  }

  /// Writes the members.
  ///
  /// - Parameters:
  ///   - bounds: none.
  ///   - m: the output.
  public func write(_ bounds: NoBounds, to m: inout Members) {
    var copy = self
    m.writeStructure(&copy)
  }
}

extension Members {
  /// Writes the members of a structure.
  mutating func writeStructure(_ value: inout some Structure) {
    output.open(.structure)
    value.members(&self)
    output.close(.structure)
  }
}

/// A structure without members.
public struct NoMembers: Structure, Hashable {
  /// A value.
  public init() {}

  /// Declares nothing.
  ///
  /// - Parameter m: not used.
  public func members(_ m: inout Members) {}
}

/// A value that a member can have.
///
/// Texts, whole numbers, booleans, instants, blobs, secrets, choices, structures, and lists and maps of these
/// conform. Declarations only use the types; the functions are for ``Members``.
public protocol MemberValue: Sendable {
  /// The bounds of a value.
  associatedtype Bounds: Sendable

  /// Reads a value; nil where it breaks a rule, which is recorded.
  ///
  /// - Parameters:
  ///   - place: the value in the request.
  ///   - bounds: the bounds.
  ///   - m: the request.
  /// - Returns: the value, or nil.
  static func read(_ place: MemberPlace, _ bounds: Bounds, from m: inout Members) -> Self?

  /// Writes the value.
  ///
  /// - Parameters:
  ///   - bounds: the bounds.
  ///   - m: the output.
  func write(_ bounds: Bounds, to m: inout Members)

  /// The kind of such members.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: the kind.
  static func kind(_ bounds: Bounds) -> MemberKind

  /// The constraints as messages about elements of lists and maps print them.
  ///
  /// - Parameter bounds: the bounds.
  /// - Returns: all constraints, in their order.
  static func constraints(_ bounds: Bounds) -> [String]
}

/// An enumeration of texts that a member selects from. Its raw values are the texts.
///
///     enum Kind: ExactString, MemberChoice {
///       case token = "Token"
///       case rules = "Rules"
///     }
public protocol MemberChoice: MemberValue, RawRepresentable<ExactString>, CaseIterable
where Bounds == NoBounds {}
