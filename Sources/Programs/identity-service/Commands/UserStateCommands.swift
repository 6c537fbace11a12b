internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// A user in the arguments, and the pool.
struct UserName: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The user name, or another name that the user signs in with.", valueName: "name"))
  var name: String
  @OptionGroup var pool: UserPoolOption

  var input: OptionInput {
    var input = pool.input
    input.set("Username", "<name>", text: name)
    return input
  }

  /// Prints a sentence about the user.
  func report(_ outcome: String) throws {
    try StandardOutput.print("\(name.visible(upTo: 128)) \(outcome)\n")
  }
}

/// A command that performs an operation on a user, which needs nothing else.
protocol UserStateCommand: OperationCommand {
  /// What the user is afterwards, for instance `is enabled`.
  static var outcome: String { get }
  var user: UserName { get }
}

extension UserStateCommand {
  func input() -> OptionInput { user.input }
  func report(_ answer: JSONObject) throws { try user.report(Self.outcome) }
}

extension UserPoolUserCommand {
  struct Confirm: UserStateCommand {
    static let configuration = CommandConfiguration(
      abstract: "Confirm a user who signed up, without a code.",
      discussion: "Functions of the pool (LambdaConfig) are not called.")
    static let operation: any ServiceOperation.Type = AdminConfirmSignUp.self
    static let outcome = "is confirmed"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }

  struct Enable: UserStateCommand {
    static let configuration = CommandConfiguration(abstract: "Let a disabled user sign in again.")
    static let operation: any ServiceOperation.Type = AdminEnableUser.self
    static let outcome = "is enabled"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }

  struct Disable: UserStateCommand {
    static let configuration = CommandConfiguration(abstract: "Refuse a user's sign-ins and access tokens.")
    static let operation: any ServiceOperation.Type = AdminDisableUser.self
    static let outcome = "is disabled"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }

  struct SignOut: UserStateCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out",
      abstract:
        "End all sign-ins of a user. Services that verify tokens by key accept them until they expire.")
    static let operation: any ServiceOperation.Type = AdminUserGlobalSignOut.self
    static let outcome = "is signed out"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }

  struct ResetPassword: UserStateCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset-password",
      abstract: "Make a user reset the password with a code, which a running service sends.",
      discussion: "Functions of the pool (LambdaConfig) are not called.")
    static let operation: any ServiceOperation.Type = AdminResetUserPassword.self
    static let outcome = "must reset the password; a code waits for sending"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }

  struct Delete: UserStateCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a user.")
    static let operation: any ServiceOperation.Type = AdminDeleteUser.self
    static let outcome = "is deleted"
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
  }
}
