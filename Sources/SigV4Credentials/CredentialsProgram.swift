public import AWSCredentials
public import TokenSecurityCrypto
public import SigV4
internal import Subprocess
internal import SystemPackage

/// Runs `credential_process` with swift-subprocess: no shell, one minute, at most 64 KiB of output.
public struct CredentialsProgram: CredentialsProcess {
  private let limit: Duration

  /// `limit`: how long a program may take.
  public init(limit: Duration = .seconds(60)) { self.limit = limit }

  public func run(_ arguments: [String]) async throws(CredentialsError) -> SecretBytes {
    guard let program = arguments.first else { throw .processFailed("is no command") }
    let executable: Executable =
      program.utf8.contains(UInt8(ascii: "/")) ? .path(FilePath(program)) : .name(program)
    let limit = limit
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
          try await Task.sleep(for: limit)
          throw CredentialsError.processFailed("took longer than \(limit)")
        }
        defer { group.cancelAll() }
        return try await group.next() ?? []
      }
      return SecretBytes(wiping: &output)
    } catch let fault as CredentialsError {
      throw fault
    } catch {
      throw .processFailed("cannot be run: \(error)")
    }
  }
}
