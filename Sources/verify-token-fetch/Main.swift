internal import TokenSecurityEncodings
internal import Glibc
internal import OpenIDConnectHTTP

/// Fetches one document for `verify-token`, in a process of its own: what strangers answer is read here, where
/// there is no secret and no verdict. It reads one question as JSON from standard input, writes one answer as JSON to
/// standard output, and ends.
@main
enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_DFL)
    guard let question = Question(standardInput: 1 << 16) else { exit(2) }
    // Should anything keep the fetch from ending in its time, the kernel ends it.
    alarm(UInt32(question.request.timeout.components.seconds) + 2)
    let roots: AsyncHTTPFetcher.TrustRoots = question.trustRoots.map { .file($0) } ?? .system
    let fetcher = AsyncHTTPFetcher(trustRoots: roots, connectTimeout: question.request.timeout)
    let answer: JSONObject
    do throws(FetchFault) { answer = try await fetcher.fetch(question.request).json } catch {
      answer = error.json
    }
    let bytes = JSONWriter.write(answer)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(STDOUT_FILENO, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      guard count > 0 || errno == EINTR else { exit(2) }
      written += max(0, count)
    }
    exit(0)
  }
}

/// What is asked.
private struct Question {
  let request: FetchRequest
  let trustRoots: String?

  /// Reads standard input to its end, of at most `limit` bytes. Nil for what is no question.
  init?(standardInput limit: Int) {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part[..<count]
      guard bytes.count <= limit else { return nil }
    }
    guard let object = (try? JSONValue(parsing: bytes))?.object,
      let address = object["address"]?.string.flatMap({ try? WebAddress($0) }),
      let limit = object["size_limit"]?.number?.int64, (1...(1 << 24)).contains(limit),
      let seconds = object["timeout"]?.number?.int64, (1...300).contains(seconds)
    else { return nil }
    var fields: [ExactString: String] = [:]
    for member in object["fields"]?.object?.members ?? [] {
      fields[ExactString(member.name)] = member.value.string
    }
    request = FetchRequest(
      address: address, fields: fields, sizeLimit: Int(limit), timeout: .seconds(seconds))
    trustRoots = object["trust_roots"]?.string
  }
}

extension FetchResponse {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["status"] = .number(JSONNumber(status))
    var fields = JSONObject()
    for name in ["cache-control", "age", "etag", "content-type", "location"] {
      // No field of use is longer, and the other side reads a bounded response.
      if let value = self[name], value.utf8.count <= 2_048 { fields[name] = .string(value) }
    }
    object["fields"] = .object(fields)
    object["body"] = .string(Base64.string(body))
    return object
  }
}

extension FetchFault {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object["fault"] = .string(code.rawValue)
    if case .connection(let reason) = self { object["reason"] = .string(reason) }
    return object
  }
}
