internal import ArgumentParser
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of a pool or a client, named as in the API.
struct CallSettings: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file with members of the API's request, which other options replace.", valueName: "file"),
    completion: .file())
  var settings: String?

  /// The members of the file; none without one.
  ///
  /// - Parameter operations: the operations whose members they are.
  /// - Returns: the members.
  /// - Throws: `OperatingError` for a file that is not a JSON object, or has a member that none of the
  ///   operations has: a misspelt setting would be ignored. The first operation is named.
  func object(for operations: any ServiceOperation.Type...) throws -> JSONObject {
    guard let settings else { return JSONObject() }
    let schemas = operations.map { OperationSchema($0) }
    let object = try Self.read(
      settings, .structure(schemas.flatMap(\.input)), schemas.first?.declaration.name.text ?? "")
    // The arguments say which pool or client it is; a file that was saved of another one must not.
    if let id = ["ClientId", "IdentityPoolId", "UserPoolId"].first(where: { object[$0] != nil }) {
      throw OperatingError(
        "\(settings): \(id) is in the arguments of the command: remove it from the file", code: .fileUnusable)
    }
    return object
  }

  /// Reads a file with the value of a member that is an object.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - member: the member.
  ///   - operation: the operation that has it.
  /// - Returns: the object.
  /// - Throws: `OperatingError`, as for the file of settings.
  static func read(
    _ path: String, member: ExactString, of operation: any ServiceOperation.Type
  ) throws -> JSONObject {
    let kind = OperationSchema(operation).input.first { $0.name == member }?.kind ?? .structure([])
    return try read(path, kind, member.text)
  }

  private static func read(_ path: String, _ kind: MemberKind, _ name: String) throws -> JSONObject {
    let document: JSONValue
    let text = try TextFile.read(path)
    do throws(JSONError) { document = try JSONValue(parsing: text) } catch {
      throw OperatingError("\(path) is not JSON: \(error.sentence(in: text.utf8))", code: .fileUnusable)
    }
    guard let object = document.object else {
      throw OperatingError("\(path) is not a JSON object", code: .fileUnusable)
    }
    if let unknown = unknownMember(of: document, kind) {
      let hint = NearNames.question(unknown.near).map { "; \($0)" } ?? ""
      throw OperatingError(
        "\(path): \(name) has no member \(unknown.path.quoted(upTo: 256))" + hint, code: .fileUnusable)
    }
    return object
  }

  /// The first member that a declaration does not have, after the names of those that contain it, and the members with names
  /// like it; nil for none.
  /// Values of other types than the declared ones are left to the operation.
  private static func unknownMember(of value: JSONValue, _ kind: MemberKind) -> (
    path: String, near: [String]
  )? {
    switch kind {
    case .structure(let declared):
      for member in value.object?.members ?? [] {
        let name = ExactString(member.name)
        guard let schema = declared.first(where: { $0.name == name }) else {
          return (member.name, NearNames.of(member.name, among: declared.map(\.name.text)))
        }
        if let inner = unknownMember(of: member.value, schema.kind) {
          return ("\(member.name).\(inner.path)", inner.near)
        }
      }
    case .list(let elements, _):
      for element in value.array ?? [] {
        if let inner = unknownMember(of: element, elements) { return inner }
      }
    case .map(_, let values, _, _):
      for member in value.object?.members ?? [] {
        if let inner = unknownMember(of: member.value, values) { return inner }
      }
    default: break
    }
    return nil
  }
}
