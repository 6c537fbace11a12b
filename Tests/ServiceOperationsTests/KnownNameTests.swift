internal import ServiceOperations
internal import Testing

/// Names of operations that are not declared, names of members of structures, and `null` inside of members.
@Suite struct KnownNameTests {
  private enum Make: ServiceOperation {
    static let declaration = OperationDeclaration(
      "Make", .anyone, "Makes a thing.", changes: ["Name", "Thing.Id", "Thing.Part.Id", "Thing.Other", "Id"])

    struct Input: Structure {
      var name: String?
      var map: [ExactString: String]?
      var list: [Thing]?
      var thing: Thing?

      mutating func members(_ m: inout Members) {
        m.optional("Name", &name, .any)
        m.optional("Map", &map, .init(keys: .any, values: .any))
        m.optional("List", &list, .init())
        m.optional("Thing", &thing)
      }
    }

    struct Thing: Structure {
      var id: String?
      var part: Part?

      mutating func members(_ m: inout Members) {
        m.optional("Id", &id, .any)
        m.optional("Part", &part)
      }
    }

    struct Part: Structure {
      var id: String?

      mutating func members(_ m: inout Members) { m.optional("Id", &id, .any) }
    }
  }

  private static let service = ServiceDeclaration(
    "Things", signingName: "things", .json(targetPrefix: "Things"), [Make.self], notBuilt: ["Break", "Mend"])

  private func route(_ target: String) throws -> OperationRoute? {
    try OperationRouter(Self.service).route(
      OperationRequestHead(method: "POST", target: "/", headers: [(name: "X-Amz-Target", value: target)]))
  }

  @Test func aKnownNameIsAnsweredAsNotBuilt() throws {
    #expect(throws: OperationError.operationNotBuilt("Break")) { _ = try route("Things.Break") }
    #expect(throws: OperationError.operationNotBuilt("Mend")) { _ = try route("Things.Mend") }
    #expect(throws: OperationError.operationUnknown("Things.break")) { _ = try route("Things.break") }
    #expect(throws: OperationError.operationUnknown("Break")) { _ = try route("Break") }
    #expect(OperationRouter(Self.service).metricLabels == ["unknown", "Make"])
  }

  private func call(_ body: String) throws -> OperationCall<Int, OperationError> {
    var table = OperationTable<Int, OperationError>()
    table.on(Make.self) { (_, _) throws(OperationError) in NoMembers() }
    return try table.call(try #require(try route("Things.Make")), Array(body.utf8))
  }

  @Test func membersOfStructuresNameWhatACallChanges() throws {
    let changed = try call(#"{"Name":"n","Thing":{"Id":"1","Part":{"Id":"2"}}}"#).changed
    #expect(changed.map(\.name) == ["Name", "Thing.Id", "Thing.Part.Id"])
    #expect(changed.map(\.texts) == [["n"], ["1"], ["2"]])
    #expect(try call(#"{"Thing":{"Part":{}}}"#).changed.isEmpty)
  }

  @Test func nullIsAbsenceAtEveryLevel() throws {
    let input = try Make.Input(
      json: Array(
        #"{"Name":null,"Map":{"a":null,"b":"c"},"List":[null,{"Id":null}],"Thing":{"Part":null}}"#.utf8),
      limit: 1_000)
    #expect(input.name == nil && input.map == ["b": "c"] && input.list?.count == 1)
    #expect(input.list?.first?.id == nil && input.thing?.id == nil && input.thing != nil)
    #expect(input.thing?.part == nil)
  }
}
