internal import ArgumentParser
internal import TokenSecurityBase

/// An option with a fixed set of values, which are compared by their bytes.
protocol NamedArgument: TextArgument, CaseIterable, RawRepresentable where RawValue == ExactString {}

extension NamedArgument {
  init?(argument: String) { self.init(name: argument) }

  var defaultValueDescription: String { name }

  static var allValueStrings: [String] { allCases.map(\.name) }

  static var form: String { "expected \(allValueStrings.joined(separator: ", "))" }
}
