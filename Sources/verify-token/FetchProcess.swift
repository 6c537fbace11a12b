internal import Encodings
internal import Glibc
internal import OpenIDConnect

/// Fetches through `verify-token-fetch`, a program beside this one. What strangers answer is read in a process that
/// has no secrets, and this program does not carry, nor start, an HTTP client that most runs do not need.
struct FetchProcess: HTTPFetching {
  /// The certificates that servers' are traced back to, as PEM; nil for those of the machine.
  let trustRoots: String?
  private let program: String

  /// Throws `UsageProblem` where the program is not beside this one.
  init(trustRoots: String?) throws {
    self.trustRoots = trustRoots
    let here = Self.folder()
    let places = ["\(here)/verify-token-fetch", "\(here)/../libexec/verify-token-fetch"]
    guard let program = places.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw UsageProblem("verify-token-fetch, which fetches keys, is not installed beside this program")
    }
    self.program = program
  }

  func fetch(_ request: FetchRequest) async throws(FetchFault) -> FetchResponse {
    guard let answer = run(question(request), limit: request.sizeLimit * 2 + (1 << 16)),
      let object = (try? JSONValue(parsing: answer, limits: JSONLimits(size: answer.count + 1)))?.object
    else { throw .connection("verify-token-fetch gave no answer") }
    if let fault = object["fault"]?.string {
      switch FetchFault.Code(rawValue: fault) {
      case .timeout: throw .timeout(request.timeout)
      case .tooLarge: throw .tooLarge(limit: request.sizeLimit)
      default: throw .connection(object["reason"]?.string ?? fault)
      }
    }
    guard let status = object["status"]?.number?.int64, (100...599).contains(status),
      let body = object["body"]?.string.flatMap({ try? Base64.decode($0) })
    else { throw .connection("verify-token-fetch gave no answer that can be read") }
    let fields = object["fields"]?.object?.members.compactMap { member in
      member.value.string.map { (name: member.name, value: $0) }
    }
    return FetchResponse(status: Int(status), fields: fields ?? [], body: body)
  }

  private func question(_ request: FetchRequest) -> [UInt8] {
    var object = JSONObject()
    object["address"] = .string(request.address.description)
    object["fields"] = .object(
      request.fields.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) })
    object["size_limit"] = .number(JSONNumber(request.sizeLimit))
    object["timeout"] = .number(JSONNumber(max(1, Int64(request.timeout / .seconds(1)))))
    object["trust_roots"] = trustRoots.map(JSONValue.string)
    return JSONWriter.write(object)
  }

  /// Runs the program with `question` as its input. Nil where it could not be run or did not end well.
  private func run(_ question: [UInt8], limit: Int) -> [UInt8]? {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe(&input) == 0, unsafe pipe(&output) == 0 else { return nil }
    // What this side keeps must not stay open in the other process, or neither would see the end.
    for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    var process = pid_t()
    let started = unsafe program.withCString { path in
      unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<CChar>?.self, capacity: 2) { arguments in
        unsafe arguments[0] = UnsafeMutablePointer(mutating: path)
        unsafe arguments[1] = nil
        guard let start = arguments.baseAddress else { return EINVAL }
        return unsafe posix_spawn(&process, path, &actions, nil, start, environ)
      }
    }
    unsafe posix_spawn_file_actions_destroy(&actions)
    close(input[0])
    close(output[1])
    defer { close(output[0]) }
    // A question fits into a pipe, so that this never waits.
    let asked = started == 0 && Descriptor.writeAll(question, to: input[1])
    close(input[1])
    guard started == 0 else { return nil }
    let answer = asked ? try? InputFile.read(output[0], limit: limit, name: "verify-token-fetch") : nil
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0, let answer else { return nil }
    return answer.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes) }
  }

  /// The folder that this program lies in.
  private static func folder() -> String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe readlink("/proc/self/exe", $0, buffer.count) } ?? 0
    }
    let text = String(decoding: path.prefix(max(0, count)), as: UTF8.self)
    return String(text[..<(text.lastIndex(of: "/") ?? text.startIndex)])
  }
}
