/// Standard input, output and error together.
package enum StandardStreams {
  /// Opens those that the process was started without, so that no pipe or file of this program gets their numbers.
  /// Reading and writing them still fails: each is open for the other direction.
  package static func openMissing() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // A file gets the lowest number that is free.
      _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The version of this package: its programs, the C library, the Python package and the Debian packages take it from here.
package enum ProgramVersion {
  /// The last released version in the change log.
  package static let current = "0.2.0"
}
