internal import TokenSecurityEncodings
internal import AsyncHTTPTransport
internal import TokenSecurityPlatform

/// Fetches one document for `verify-token`, in a process of its own: what strangers answer is read here, where
/// there is no secret and no verdict. It reads one question as JSON from standard input, writes one answer as JSON to
/// standard output, and ends.
@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_DFL)
    guard let question = Question(standardInput: 1 << 16) else { exit(2) }
    // Should anything keep the fetch from ending in its time, the kernel ends it.
    let timeout = question.request.limits.timeout
    alarm(UInt32(timeout.components.seconds) + 2)
    let transport = HTTPClientTransport(
      TransportConfiguration(
        trustRoots: question.trustRoots.map { .file($0) } ?? .system, connectTimeout: timeout))
    let answer: JSONObject
    do throws(TransportError) { answer = try await transport.send(question.request).json } catch {
      answer = error.json
    }
    exit(Descriptor.writeAll(JSONWriter.write(answer).span, to: STDOUT_FILENO) ? 0 : 2)
  }
}

/// What is asked.
private struct Question {
  let request: TransportRequest
  let trustRoots: String?

  /// Reads standard input to its end, of at most `limit` bytes. Nil for what is no question.
  init?(standardInput limit: Int) {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe Descriptor.read(STDIN_FILENO, into: $0) }
      guard count > 0 else { break }
      bytes += part[..<count]
      guard bytes.count <= limit else { return nil }
    }
    guard let object = (try? JSONValue(parsing: bytes))?.object,
      let url = object["address"]?.string.flatMap({ try? HTTPURL($0) }),
      let limit = object["size_limit"]?.number?.int64, (1...(1 << 24)).contains(limit),
      let seconds = object["timeout"]?.number?.int64, (1...300).contains(seconds)
    else { return nil }
    var headers = TransportHeaders()
    for member in object["fields"]?.object?.members ?? [] { headers[member.name] = member.value.string }
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
      // No field of use is longer, and the other side reads a bounded response.
      if let value = headers[name], value.utf8.count <= 2_048 { fields[name] = .string(value) }
    }
    object["fields"] = .object(fields)
    object["body"] = .string(Base64.string(body))
    return object
  }
}

extension TransportError {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["fault"] = .string(code.rawValue)
    if case .connection(let reason) = self { object["reason"] = .string(reason) }
    return object
  }
}
