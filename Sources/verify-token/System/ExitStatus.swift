/// How the program ends, where it does not end well.
enum ExitStatus: Int32, Error {
  /// A token was refused.
  case refused = 1
  /// The command was used wrongly, or a file could not be read.
  case usage = 2
}
