/// The exit status of a run that does not succeed.
enum ExitStatus: Int32, Error {
  /// A token, request, code, key or duration was refused.
  case refused = 1
  /// Wrong options, an unreadable file, or keys that cannot be fetched.
  case usage = 2
}
