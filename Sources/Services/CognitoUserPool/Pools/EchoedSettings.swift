internal import ServiceOperations
internal import TokenSecurityBase

// Settings that this service only returns, as JSON by the names of their members.

extension Structure {
  /// Maximum size of echoed settings in bytes: that of a request.
  private static var echoLimit: Int { OperationDeclaration.bodyLimit }

  /// The members that are present, each as JSON.
  func echo() throws(UserPoolError) -> [ExactString: String] {
    let members: [JSONObject.Member]
    do {
      members = try JSONValue(parsing: json, limits: JSONLimits(size: Self.echoLimit)).object?.members ?? []
    } catch {
      throw .storeFailed("settings cannot be written: \(error)")
    }
    var echoed: [ExactString: String] = [:]
    for member in members {
      echoed[ExactString(member.name)] = String(decoding: JSONWriter.write(member.value), as: UTF8.self)
    }
    return echoed
  }

  /// The structure with the members that were echoed; one without members where they cannot be read.
  static func echoed(_ echoed: [ExactString: String]) -> Self {
    let members = echoed.keys.sorted().map { "\"\($0)\":\(echoed[$0] ?? "null")" }
    let json = "{\(members.joined(separator: ","))}"
    return (try? Self(json: Array(json.utf8), limit: echoLimit)) ?? Self()
  }
}
