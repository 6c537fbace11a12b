internal import CTokenSecurityMarks
internal import CognitoIdentity
internal import CognitoIdentityClient
internal import JOSE
internal import OneTimeCodes
internal import OpenIDConnect
internal import SecureRemotePassword
internal import SigV4

/// An input that a parser or an unauthenticated entry point takes, of any size, built to be as costly as its
/// size allows.
struct Shape {
  let name: String
  /// The smallest of the three sizes in bytes. Four times as much must be within the parser's own limits.
  let size: Int
  /// How every size ends: `ok`, or the code of the error. A shape that a limit refuses would measure nothing.
  let outcome: String
  /// Makes an input of about so many bytes, and returns what is to be measured.
  let make: (_ size: Int) throws -> () async throws -> Void

  init(
    _ name: String, from size: Int, ends outcome: String = "ok",
    make: @escaping (_ size: Int) throws -> () async throws -> Void
  ) {
    self.name = name
    self.size = size
    self.outcome = outcome
    self.make = make
  }

  static func runAll(named filter: String?) async throws {
    for shape in try await all() where filter.map({ shape.name == $0 }) ?? true {
      for factor in [1, 2, 4] {
        let work = try shape.make(shape.size * factor)
        // Once before: what is made on first use is not the input's cost.
        let outcome = await Self.outcome(work)
        guard outcome == shape.outcome else {
          throw ProbeError(
            "\(shape.name) at \(shape.size * factor) bytes ends with \(outcome), not \(shape.outcome)")
        }
        cost_begin()
        _ = await Self.outcome(work)
        cost_end()
        print("shape", shape.name, shape.size * factor)
      }
    }
  }

  static func all() async throws -> [Shape] {
    try await documents() + decoding() + keys() + tokens() + openID() + requests() + bodies() + signIns()
      + identities() + operations() + datasets() + policies()
  }

  private static func outcome(_ work: () async throws -> Void) async -> String {
    do {
      try await work()
      return "ok"
    } catch let error as any CodedError {
      return error.codeText
    } catch {
      return "\(error)"
    }
  }
}

/// `piece` repeated, with its number, to about `size` bytes, joined by `separator`.
func filled(_ size: Int, separator: String = "", _ piece: (Int) -> String) -> String {
  var text = ""
  var index = 0
  text.reserveCapacity(size + 64)
  while text.utf8.count < size {
    if index > 0 { text += separator }
    text += piece(index)
    index += 1
  }
  return text
}
