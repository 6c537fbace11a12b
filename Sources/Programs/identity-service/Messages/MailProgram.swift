internal import CognitoUserPool
internal import HTTPExchange
internal import Subprocess
internal import SystemPackage
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Sends e-mail with a program in the form of `sendmail`: `PROGRAM -i -f FROM -- TO`, with the e-mail on its
/// standard input.
///
/// The program runs without a shell, without this process's other files and environment, for at most 20 seconds.
/// Its output is discarded. 75 (EX_TEMPFAIL) and statuses of failures of the system mean that the message is
/// tried again; those of a wrong address refuse it.
struct MailProgram: MessageSender {
  private let path: String
  private let sender: String
  private let timeout: Duration

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - path: the program's absolute path.
  ///   - sender: the address in `From` and on the envelope.
  ///   - timeout: the time limit. Default: 20 s.
  /// - Throws: `OperatingError` with the rule.
  init(_ path: String, from sender: String, timeout: Duration = .seconds(20)) throws {
    guard path.hasPrefix("/") else {
      throw OperatingError("the mail program \(path.quoted) must be an absolute path")
    }
    guard unsafe access(path, X_OK) == 0 else {
      throw OperatingError(
        "the mail program \(path.quoted) cannot be executed: \(SystemError.text)",
        code: .fileUnusable)
    }
    guard MailText.isSender(sender) else {
      throw OperatingError("--mail-from \(sender.quoted) is not an e-mail address")
    }
    self.path = path
    self.sender = sender
    self.timeout = timeout
  }

  func send(_ message: OutgoingMessage) async throws(MessageError) {
    guard message.medium == .email else { throw .refused("a mail program sends no SMS") }
    let mail = try MailText(message, from: sender, at: .now)
    let status = await status(of: ["-i", "-f", sender, "--", message.destination], mail.bytes)
    switch status {
    case .success(0): return
    // EX_USAGE, EX_DATAERR, EX_NOUSER, EX_NOHOST, EX_NOPERM of sysexits.h.
    case .success(let code) where [64, 65, 67, 68, 77].contains(code):
      throw .refused("the mail program ended with the status \(code)")
    case .success(let code): throw .unavailable("the mail program ended with the status \(code)")
    case .failure(let error): throw error
    }
  }

  private func status(of arguments: [String], _ input: [UInt8]) async -> Result<Int32, MessageError> {
    let (path, timeout) = (path, timeout)
    // Not a pipe: swift-subprocess 1.0 stops the process where a program ends before it has read its input.
    guard let file = Self.file(of: input) else {
      return .failure(.unavailable("the e-mail cannot be written to a temporary file: \(SystemError.text)"))
    }
    defer { close(file) }
    do {
      return try await withThrowingTaskGroup(of: Result<Int32, MessageError>.self) { group in
        group.addTask {
          let result = try await Subprocess.run(
            .path(FilePath(path)), arguments: Arguments(arguments),
            environment: .custom(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"]),
            workingDirectory: FilePath("/"),
            input: .fileDescriptor(
              FileDescriptor(rawValue: file), closeAfterSpawningProcess: false),
            output: .discarded, error: .discarded)
          guard case .exited(let code) = result.terminationStatus else {
            return .failure(.unavailable("the mail program was ended by a signal"))
          }
          return .success(code)
        }
        group.addTask {
          try await Task.sleep(for: TimeLimit.bounded(timeout))
          return .failure(.unavailable("the mail program took longer than \(TimeSpan(timeout))"))
        }
        // The end of the group kills a program that is still running.
        defer { group.cancelAll() }
        return try await group.next() ?? .failure(.unavailable("the mail program was not started"))
      }
    } catch {
      return .failure(.unavailable("the mail program cannot be run: \(error)"))
    }
  }

  /// An open file with these bytes, at its start; nil on failure. It has no name and is gone when it is closed.
  private static func file(of bytes: [UInt8]) -> Int32? {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = "\(ProcessEnvironment["TMPDIR"] ?? "/tmp")/identity-service-\(name)"
    let file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    unsafe unlink(path)
    guard Descriptor.writeAll(bytes.span, to: file), lseek(file, 0, SEEK_SET) == 0 else {
      close(file)
      return nil
    }
    return file
  }
}
