internal import CognitoUserPool
internal import NIOPosix
internal import RecordsSQLite
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Appends each message to a file, as a line of JSON, for development and tests.
///
/// The file has mode 600, since it has codes. A message counts as sent once its line is on the disk. After the
/// file was renamed, and on SIGHUP, a new one is made.
final class MessageFile: MessageSender {
  private let path: String
  private let descriptor: Mutex<Int32>

  /// Opens the file, or makes it.
  ///
  /// - Throws: `OperatingError` with the path and the reason.
  init(_ path: String) throws {
    self.path = path
    descriptor = Mutex(try Self.open(path))
  }

  /// Checks the file without making it.
  ///
  /// - Throws: `OperatingError` for a file that exists and cannot be used, and for a folder that does not exist.
  static func check(_ path: String) throws {
    guard !PrivateFiles.exists(path) else {
      close(try open(path, making: false))
      return
    }
    do { try PrivateFiles.check(folder: PrivateFiles.folder(of: path)) } catch {
      throw OperatingError("the message file \(path) cannot be made: \(error)", code: .fileUnusable)
    }
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// Opens the file of the path again.
  ///
  /// - Throws: `OperatingError`; the file that was open stays open.
  func reopen() throws {
    try descriptor.withLock { file in
      let next = try Self.open(path)
      close(file)
      file = next
    }
  }

  func send(_ message: OutgoingMessage) async throws(MessageError) {
    let line = JSONWriter.write(message.json) + [UInt8(ascii: "\n")]
    let failure: MessageError?
    do {
      // Writing to the disk blocks a thread.
      failure = try await NIOThreadPool.singleton.runIfActive { self.append(line) }
    } catch {
      throw .unavailable("the process is stopping")
    }
    if let failure { throw failure }
  }

  private func append(_ line: [UInt8]) -> MessageError? {
    descriptor.withLock { file in
      if !isCurrent(file) {
        do {
          let next = try Self.open(path)
          close(file)
          file = next
        } catch {
          return .unavailable("\(error)")
        }
      }
      let size = lseek(file, 0, SEEK_END)
      guard Descriptor.writeAll(line.span, to: file), fsync(file) == 0 else {
        let reason = SystemError.text
        // A part of a line would spoil the next one.
        if size >= 0 { _ = ftruncate(file, size) }
        return .unavailable("\(path) cannot be written: \(reason)")
      }
      return nil
    }
  }

  /// True while the open file is the one of the path.
  private func isCurrent(_ file: Int32) -> Bool {
    var (opened, named) = (stat(), stat())
    guard unsafe fstat(file, &opened) == 0, unsafe lstat(path, &named) == 0 else { return false }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  private static func open(_ path: String, making: Bool = true) throws -> Int32 {
    let flags = O_WRONLY | O_APPEND | (making ? O_CREAT : 0) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let file = unsafe TokenSecurityPlatform.open(path, flags, 0o600)
    guard file >= 0 else {
      throw OperatingError(
        "the message file \(path) cannot be opened: \(SystemError.text)", code: .fileUnusable)
    }
    do { try SecretFile.check(FileStatus(file), "the message file \(path)") } catch {
      close(file)
      throw error
    }
    return file
  }
}
