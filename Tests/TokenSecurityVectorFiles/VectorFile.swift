internal import Foundation
public import TokenSecurityBase

/// A file of test vectors: a suite, where its values come from, and its cases.
///
/// Every member that a runner does not ask for fails its test, so that no vector is passed over in silence.
public struct VectorFile: Sendable {
  /// The name of the suite.
  public let suite: String
  /// The document that the values are from.
  public let source: String
  /// The cases, in the order of the file.
  public let cases: [Case]
  /// The file's members besides suite, source and cases.
  public let extras: JSONObject

  /// One case: accepted with a value, or rejected with a code.
  public struct Case: Sendable, CustomTestStringConvertibleCase {
    /// The name of the case.
    public let id: String
    /// The values that the case gives to the code.
    public let input: JSONObject
    /// The expected values, for a case that is accepted.
    public let expect: JSONObject?
    /// The expected error code, for a case that is rejected.
    public let reject: String?
  }

  /// The repository's folder.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()

  /// Reads the file at `path`.
  public init(path: String) throws { try self.init(JSONValue(parsing: Self.bytes(path))) }

  /// Reads `Vectors/NAME.json`.
  public static func load(_ name: String) throws -> VectorFile {
    try VectorFile(path: "\(root)/Vectors/\(name).json")
  }

  /// The bytes of a file.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// The folder of further suites, where `VECTORS_EXTRA` names one.
  public static var extra: String? { ProcessInfo.processInfo.environment["VECTORS_EXTRA"] }

  init(_ value: JSONValue) throws {
    guard var object = value.object, let suite = object["suite"]?.string,
      let source = object["source"]?.string, let cases = object["cases"]?.array
    else { throw VectorFileError("the file has no suite, source or cases") }
    for name in ["suite", "source", "cases"] { object[name] = nil }
    self.suite = suite
    self.source = source
    extras = object
    self.cases = try cases.map(Case.init)
  }
}

extension VectorFile.Case {
  init(_ value: JSONValue) throws {
    guard let object = value.object, let id = object["id"]?.string,
      let input = object["input"]?.object
    else { throw VectorFileError("a case has no id or input") }
    // "today" is a remark of recorded suites, not an expectation.
    let known: Set = ["id", "comment", "input", "expect", "reject", "today"]
    guard Set(object.names).isSubset(of: known) else {
      throw VectorFileError("the case \(id) has a member that is not known")
    }
    guard (object["expect"] == nil) != (object["reject"] == nil) else {
      throw VectorFileError("the case \(id) must either expect or reject")
    }
    self.id = id
    self.input = input
    expect = object["expect"]?.object
    reject = object["reject"]?.string
  }

  /// Fails where `object` has members besides `names`.
  public static func check(_ object: JSONObject, knows names: Set<String>) throws {
    for name in object.names where !names.contains(name) {
      throw VectorFileError("the member \(name) is not known to this runner")
    }
  }

  /// The name of the case.
  public var description: String { id }
}

/// Makes a case show as its id.
public protocol CustomTestStringConvertibleCase: CustomStringConvertible {}

/// A vector file that cannot be used.
public struct VectorFileError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
  /// An error with this reason.
  public init(_ description: String) { self.description = description }
}
