internal import AsyncHTTPTransport
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Fetches one document for `verify-token` in a separate process, which has no secrets and decides nothing.
/// It reads one request as JSON from standard input and writes one response or error as JSON to standard
/// output.
@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_DFL)
    guard let input = FetchRequest(standardInput: 1 << 16) else { exit(2) }
    // A fetch that does not end in time is ended by the kernel.
    let timeout = input.request.limits.timeout
    alarm(UInt32(timeout.components.seconds) + 2)
    let transport = HTTPClientTransport(
      TransportConfiguration(
        trustRoots: input.trustRoots.map { .file($0) } ?? .system, connectTimeout: timeout))
    let output: JSONObject
    do throws(TransportError) { output = try await transport.send(input.request).json } catch {
      output = error.json
    }
    exit(Descriptor.writeAll(JSONWriter.write(output).span, to: STDOUT_FILENO) ? 0 : 2)
  }
}

private struct FetchRequest {
  let request: TransportRequest
  let trustRoots: String?

  /// Reads standard input to its end; nil for malformed input, or more than `limit` bytes.
  init?(standardInput limit: Int) {
    guard let bytes = Descriptor.readAll(STDIN_FILENO, limit: limit), bytes.count <= limit,
      let object = (try? JSONValue(parsing: bytes))?.object,
      let url = object["url"]?.string.flatMap({ try? HTTPURL($0) }),
      let limit = object["size_limit"]?.number?.int64, (1...(1 << 24)).contains(limit),
      let seconds = object["timeout"]?.number?.int64, (1...300).contains(seconds)
    else { return nil }
    var headers = TransportHeaders()
    for member in object["headers"]?.object?.members ?? [] { headers[member.name] = member.value.string }
    request = TransportRequest(
      url: url, headers: headers,
      limits: TransportLimits(timeout: .seconds(seconds), responseSize: Int(limit)))
    trustRoots = object["trust_roots"]?.string
  }
}

extension TransportResponse {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["status"] = .number(JSONNumber(status))
    var fields = JSONObject()
    for name in ["cache-control", "age", "etag", "content-type", "location"] {
      // Useful values are shorter, and verify-token reads a bounded amount.
      if let value = headers[name], value.utf8.count <= 2_048 { fields[name] = .string(value) }
    }
    object["headers"] = .object(fields)
    object["body"] = .string(Base64.string(body))
    return object
  }
}

extension TransportError {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["error"] = .string(code.rawValue)
    if case .connection(let reason) = self { object["reason"] = .string(reason) }
    return object
  }
}
