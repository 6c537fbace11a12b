internal import CTokenSecurityMarks
internal import Dispatch
internal import Glibc

/// Runs the hot paths, or the parsers on inputs of growing size, for callgrind to count their instructions.
///
///     instruction-probe paths                    each hot path, a fixed number of times
///     instruction-probe hidden FOLDER [CALL...]  calls for names of users and of nobody
///     instruction-probe shapes [NAME]            each input shape at n, 2n and 4n bytes
///
/// Prints one line per measured region, in the order of callgrind's dumps. `run.py` reads both.
@main
struct InstructionProbe {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let filter = arguments.dropFirst().first
    let done = DispatchSemaphore(value: 0)
    // A detached task: the main thread of an asynchronous `main` exits in a way that valgrind cannot follow.
    Task.detached {
      do {
        switch arguments.first {
        case "paths": try await HotPath.runAll()
        case "hidden":
          try await HiddenNames.runAll(in: filter ?? ".", only: Set(arguments.dropFirst(2)))
        case "shapes": try await Shape.runAll(named: filter)
        case "names": for shape in try await Shape.all() { print(shape.name) }
        default: throw ProbeError("say: paths, hidden or shapes")
        }
      } catch {
        print("error: \(error)")
        exit(1)
      }
      done.signal()
    }
    done.wait()
  }
}

/// The reason to stop a run: a path or a shape that does not serve its purpose.
struct ProbeError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
