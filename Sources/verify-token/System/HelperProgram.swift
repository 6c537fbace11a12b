internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// A program of this package that lies beside this one, or in `../libexec`, and is asked one question. `PATH` is never
/// searched for it.
struct HelperProgram {
  /// The program's name.
  let name: String
  private let program: String

  /// Nil where the program is not there.
  init?(_ name: String) {
    let here = Self.folder()
    let places = ["\(here)/\(name)", "\(here)/../libexec/\(name)"]
    guard let program = places.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
    self.name = name
    self.program = program
  }

  /// Runs the program with `question`, which must fit into a pipe, as its input. Nil where it could not be run, did not
  /// end well, or wrote more than `limit` bytes.
  func ask(_ question: borrowing SecretBytes, limit: Int) -> SecretBytes? {
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
    let asked = started == 0 && question.withBytes { Descriptor.writeAll($0, to: input[1]) }
    close(input[1])
    guard started == 0 else { return nil }
    let answer = asked ? try? InputFile.read(output[0], limit: limit, name: name) : nil
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { return nil }
    return answer
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
