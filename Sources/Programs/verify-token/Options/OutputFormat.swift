internal import ArgumentParser
internal import TokenSecurityBase

/// The format of the output.
enum OutputFormat: ExactString, NamedArgument {
  case text
  case json

  static let names = allValueStrings
}
