internal import ArgumentParser
internal import ServiceOperations
internal import TokenSecurityBase

/// A command that performs one operation and prints one sentence.
protocol OperationCommand: AsyncParsableCommand {
  /// The operation.
  static var operation: any ServiceOperation.Type { get }
  /// Where the data is.
  var folder: DataOptions { get }
  /// The members of the operation's input.
  func input() -> OptionInput
  /// Prints what the command did.
  ///
  /// - Parameter answer: the members of the operation's output.
  /// - Throws: `OperatingError` where it cannot be printed.
  func report(_ answer: JSONObject) throws
}

extension OperationCommand {
  func run() async throws {
    let input = input()
    let answer = try await folder.withCalls { try await $0.call(Self.operation, input) }
    try report(answer)
  }
}

/// The option of commands on things of a user pool.
struct UserPoolOption: ParsableArguments {
  @Option(help: ArgumentHelp("The pool's id.", valueName: "id"))
  var pool: String

  /// The member of an operation's input.
  var input: OptionInput {
    var input = OptionInput()
    input.set("UserPoolId", "--pool", text: pool)
    return input
  }
}

/// Values of options with a name: `key=value`.
enum NamedValues {
  /// Splits values at their first `=`.
  ///
  /// - Parameters:
  ///   - values: the values.
  ///   - option: their option.
  /// - Returns: names and values.
  /// - Throws: `OperatingError` for one without a name.
  static func pairs(_ values: [String], _ option: String) throws -> [(key: String, value: String)] {
    try values.map { text in
      guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")), sign != text.startIndex else {
        throw OperatingError("\(option) \(text.quoted): a name, = and a value are needed")
      }
      return (String(text[..<sign]), String(text[text.utf8.index(after: sign)...]))
    }
  }
}
