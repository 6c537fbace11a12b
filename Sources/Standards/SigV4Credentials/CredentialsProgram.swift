internal import HTTPExchange
public import SigV4
internal import Subprocess
internal import SystemPackage
public import TokenSecurityCrypto

/// Runs `credential_process` with swift-subprocess: without a shell, with a time limit and at most 64 KiB of
/// output.
public struct CredentialsProgram: CredentialsProcess {
  private let timeout: Duration
  private let timers: any Clock<Duration>

  /// Creates a runner of programs.
  ///
  /// - Parameter timeout: the time limit of a program. Default: one minute.
  public init(timeout: Duration = .seconds(60)) { self.init(timeout: timeout, timers: ContinuousClock()) }

  package init(timeout: Duration, timers: any Clock<Duration>) {
    self.timeout = timeout
    self.timers = timers
  }

  /// Runs a program, and returns its standard output.
  public func run(_ arguments: [String]) async throws(CredentialsError) -> SecretBytes {
    guard let program = arguments.first else { throw .processFailed("has an empty command") }
    let executable: Executable =
      program.utf8.contains(UInt8(ascii: "/")) ? .path(FilePath(program)) : .name(program)
    let (timeout, timers) = (timeout, timers)
    do {
      var output = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        group.addTask {
          let result = try await Subprocess.run(
            executable, arguments: Arguments(Array(arguments.dropFirst())), input: .none,
            output: .bytes(limit: 65_536), error: .discarded)
          guard result.terminationStatus.isSuccess else {
            throw CredentialsError.processFailed("ended with \(result.terminationStatus)")
          }
          return result.standardOutput
        }
        group.addTask {
          try await timers.sleep(for: TimeLimit.bounded(timeout))
          throw CredentialsError.processFailed("took longer than \(timeout)")
        }
        defer { group.cancelAll() }
        return try await group.next() ?? []
      }
      return SecretBytes(wiping: &output)
    } catch let error as CredentialsError {
      throw error
    } catch {
      throw .processFailed("cannot be run: \(error)")
    }
  }
}
