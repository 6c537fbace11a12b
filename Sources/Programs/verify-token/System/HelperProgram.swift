internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// A program of this package that is installed beside this one or in `../libexec`. `PATH` is not searched.
struct HelperProgram {
  let name: String
  private let path: String

  /// Returns nil if the program is not installed.
  init?(_ name: String) {
    let folder = Self.folder()
    let paths = ["\(folder)/\(name)", "\(folder)/../libexec/\(name)"]
    guard let path = paths.first(where: { unsafe access($0, X_OK) == 0 }) else { return nil }
    self.name = name
    self.path = path
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - bytes: the program's standard input. It must fit into a pipe.
  ///   - limit: the most bytes of output.
  /// - Returns: the program's standard output; nil if it could not be started, failed, or wrote more than
  ///   `limit` bytes.
  func run(input bytes: borrowing SecretBytes, limit: Int) -> SecretBytes? {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe(&input) == 0, unsafe pipe(&output) == 0 else { return nil }
    // If the child inherited the other ends of the pipes, neither side would see the end of its input.
    for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    var process = pid_t()
    let started = unsafe path.withCString { path in
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
    let isWritten = started == 0 && bytes.withBytes { Descriptor.writeAll($0, to: input[1]) }
    close(input[1])
    guard started == 0 else { return nil }
    let result = isWritten ? try? InputFile.read(output[0], limit: limit, name: name) : nil
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { return nil }
    return result
  }

  /// Replaces this program by the other one, in the same process. Returns only where it could not be started.
  func becomes(_ arguments: [String]) {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    unsafe execv(path, words)
  }

  /// The folder of this program.
  private static func folder() -> String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withUnsafeMutableBytes { buffer in
      unsafe buffer.baseAddress.map { unsafe readlink("/proc/self/exe", $0, buffer.count) } ?? 0
    }
    let text = String(decoding: path.prefix(max(0, count)), as: UTF8.self)
    return String(text[..<(text.lastIndex(of: "/") ?? text.startIndex)])
  }
}
