internal import SigV4
internal import TokenSecurityBase

/// The parameters of a query that decide what a call of S3 does.
struct S3Query {
  private let values: [ExactString: String]
  /// The names without those of signatures and of response fields, sorted.
  let names: [ExactString]

  /// Parameters that choose a part of a list.
  static let ofLists: Set<ExactString> = [
    "list-type", "prefix", "delimiter", "max-keys", "marker", "continuation-token", "start-after",
    "encoding-type",
    "fetch-owner", "key-marker", "version-id-marker", "upload-id-marker", "max-uploads",
  ]
  /// Parameters of the parts of an upload.
  static let ofUploads: Set<ExactString> = ["uploadId", "partNumber", "max-parts", "part-number-marker"]

  /// Parameters that choose a version or a part.
  private static let withValues: Set<ExactString> = ["uploadId", "partNumber", "versionId"]

  init(_ query: [UInt8]) throws(AccessMappingError) {
    // Some programs end a parameter at a semicolon.
    if let pair = query.split(separator: UInt8(ascii: "&")).first(where: { $0.contains(UInt8(ascii: ";")) }) {
      throw .queryAmbiguous(name: String(decoding: pair, as: UTF8.self))
    }
    var values: [ExactString: String] = [:]
    var names: [ExactString] = []
    var parameters = QueryParameters(query)
    while let parameter = parameters.next() {
      guard let name = String(validating: parameter.name, as: UTF8.self),
        let value = String(validating: parameter.value, as: UTF8.self),
        values.updateValue(value, forKey: ExactString(name)) == nil
      else { throw .queryAmbiguous(name: String(decoding: parameter.name, as: UTF8.self)) }
      // Some programs read an empty one as none, and the call as another.
      if value.isEmpty, Self.withValues.contains(ExactString(name)) {
        throw .unmapped("the parameter \(name) is empty")
      }
      // The verifier has checked the parameters of a signature; `x-id` repeats the name of the call.
      guard !PresignedQuery.isParameter(parameter.name), name.rest(after: "response-") == nil,
        ExactString(name) != "x-id"
      else { continue }
      names.append(ExactString(name))
    }
    self.values = values
    self.names = names.sorted()
  }

  subscript(name: String) -> String? { values[ExactString(name)] }
}
