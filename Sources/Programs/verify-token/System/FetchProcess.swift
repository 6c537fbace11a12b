internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Fetches documents with the program `verify-token-fetch`. Responses from the network are parsed in a
/// process that has no secrets, and this program needs no HTTP client, which most runs do not use. Only GET
/// requests are sent.
struct FetchProcess: HTTPTransport {
  /// The PEM file with the trust roots; nil for the system's.
  let trustRoots: String?
  private let program: HelperProgram

  /// - Throws: `UsageError` if the program is not installed.
  init(trustRoots: String?) throws {
    self.trustRoots = trustRoots
    guard let program = HelperProgram("verify-token-fetch") else {
      throw UsageError(
        "verify-token-fetch, which fetches keys, is not installed beside this program: run make install, or save "
          + "the keys of the issuer in a file and name it with --jwks",
        code: UsageError.programFailed)
    }
    self.program = program
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let input = SecretBytes(Self.json(request, trustRoots).span)
    guard let output = program.run(input: input, limit: request.limits.responseSize * 2 + (1 << 16)) else {
      throw .connection("verify-token-fetch failed")
    }
    let json = InputFile.unwiped(output)
    guard let object = (try? JSONValue(parsing: json, limits: JSONLimits(size: json.count + 1)))?.object
    else { throw .connection("verify-token-fetch returned no JSON") }
    if let code = object["error"]?.string {
      switch code {
      case TransportError.Code.timeout.rawValue: throw .timeout(request.limits.timeout)
      case TransportError.Code.tooLarge.rawValue: throw .tooLarge(limit: request.limits.responseSize)
      default: throw .connection(object["reason"]?.string ?? code)
      }
    }
    guard let status = object["status"]?.number?.int64, (100...599).contains(status),
      let body = object["body"]?.string.flatMap({ try? Base64.decode($0) })
    else { throw .connection("verify-token-fetch returned an unreadable response") }
    let headers = TransportHeaders(
      (object["headers"]?.object?.members ?? []).compactMap { member in
        member.value.string.map { (name: member.name, value: $0) }
      })
    return TransportResponse(status: Int(status), headers: headers, body: body)
  }

  private static func json(_ request: TransportRequest, _ trustRoots: String?) -> [UInt8] {
    var object = JSONObject()
    object["url"] = .string(request.url.description)
    object["headers"] = .object(
      request.headers.fields.reduce(into: JSONObject()) { $0[$1.name] = .string($1.value) })
    object["size_limit"] = .number(JSONNumber(request.limits.responseSize))
    object["timeout"] = .number(JSONNumber(max(1, request.limits.timeout.components.seconds)))
    object["trust_roots"] = trustRoots.map(JSONValue.string)
    return JSONWriter.write(object)
  }
}
