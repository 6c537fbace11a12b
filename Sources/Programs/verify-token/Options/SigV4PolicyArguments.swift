internal import ArgumentParser
internal import SigV4
internal import TokenSecurityBase

/// An ambiguity of a request, by its name.
struct AmbiguityArgument: ExpressibleByArgument {
  let ambiguity: RequestAmbiguity

  init?(argument: String) {
    guard let ambiguity = RequestAmbiguity(name: argument) else { return nil }
    self.ambiguity = ambiguity
  }

  static var allValueStrings: [String] { RequestAmbiguity.allCases.map(\.name) }
}

/// A header that may be unsigned, by its name in lower case.
struct UnsignedHeaderArgument: ExpressibleByArgument {
  let header: VerifierPolicy.UnsignedHeader

  init?(argument: String) {
    guard let header = VerifierPolicy.UnsignedHeader(name: argument) else { return nil }
    self.header = header
  }

  static var allValueStrings: [String] { VerifierPolicy.UnsignedHeader.allCases.map(\.name) }
}
