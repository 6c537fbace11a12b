internal import ArgumentParser
internal import TokenSecurityEncodings

/// How a verdict is written.
enum OutputFormat: ExactString, NamedArgument {
  case text
  case json
}
