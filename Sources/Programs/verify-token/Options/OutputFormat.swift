internal import ArgumentParser
internal import TokenSecurityEncodings

/// The format of the output.
enum OutputFormat: ExactString, NamedArgument {
  case text
  case json

  static let names = allValueStrings
}
