internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import OpenIDConnect

/// Fetches documents with `verify-token-fetch`, a program beside this one. Responses from the network are read in a
/// process that has no secrets, and this program does not carry, nor start, an HTTP client that most runs do not need.
/// Only GET requests are sent.
struct FetchProcess: HTTPTransport {
  /// The PEM file with the trust roots; nil for the machine's.
  let trustRoots: String?
  private let process: HelperProgram

  /// Throws `UsageProblem` where the program is not beside this one.
  init(trustRoots: String?) throws {
    self.trustRoots = trustRoots
    guard let process = HelperProgram("verify-token-fetch") else {
      throw UsageProblem("verify-token-fetch, which fetches keys, is not installed beside this program")
    }
    self.process = process
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard let answer = run(question(request), limit: request.limits.responseSize * 2 + (1 << 16)),
      let object = (try? JSONValue(parsing: answer, limits: JSONLimits(size: answer.count + 1)))?.object
    else { throw .connection("verify-token-fetch gave no answer") }
    if let fault = object["fault"]?.string {
      switch fault {
      case TransportError.Code.timeout.rawValue: throw .timeout(request.limits.timeout)
      case TransportError.Code.tooLarge.rawValue: throw .tooLarge(limit: request.limits.responseSize)
      default: throw .connection(object["reason"]?.string ?? fault)
      }
    }
    guard let status = object["status"]?.number?.int64, (100...599).contains(status),
      let body = object["body"]?.string.flatMap({ try? Base64.decode($0) })
    else { throw .connection("verify-token-fetch gave no answer that can be read") }
    let headers = TransportHeaders(
      (object["fields"]?.object?.members ?? []).compactMap { member in
        member.value.string.map { (name: member.name, value: $0) }
      })
    return TransportResponse(status: Int(status), headers: headers, body: body)
  }

  private func question(_ request: TransportRequest) -> [UInt8] {
    var object = JSONObject()
    object["address"] = .string(request.url.description)
    object["fields"] = .object(
      request.headers.fields.reduce(into: JSONObject()) { $0[$1.name] = .string($1.value) })
    object["size_limit"] = .number(JSONNumber(request.limits.responseSize))
    object["timeout"] = .number(JSONNumber(max(1, request.limits.timeout.components.seconds)))
    object["trust_roots"] = trustRoots.map(JSONValue.string)
    return JSONWriter.write(object)
  }

  /// Nil where the program could not be run or did not end well.
  private func run(_ question: [UInt8], limit: Int) -> [UInt8]? {
    let bytes = SecretBytes(question.span)
    guard let answer = process.ask(bytes, limit: limit) else { return nil }
    return answer.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes) }
  }
}
