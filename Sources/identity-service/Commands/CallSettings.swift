internal import ArgumentParser
internal import TokenSecurityEncodings

/// The settings of a pool or a client, named as in the API.
struct CallSettings: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file with members of the API's request, which other options replace.", valueName: "file"),
    completion: .file())
  var settings: String?

  /// The members of the file; none without one.
  ///
  /// - Throws: `OperatingError` for a file that is not a JSON object.
  func object() throws -> JSONObject {
    guard let settings else { return JSONObject() }
    let document: JSONValue
    do { document = try JSONValue(parsing: try TextFile.read(settings)) } catch let error as JSONError {
      throw OperatingError("\(settings) is not JSON: \(error)", code: .fileUnusable)
    }
    guard let object = document.object else {
      throw OperatingError("\(settings) is not a JSON object", code: .fileUnusable)
    }
    return object
  }
}
