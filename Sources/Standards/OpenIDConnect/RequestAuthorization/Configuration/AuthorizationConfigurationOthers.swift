/// Reads what a program's configuration has besides routes with policies of tokens.
package protocol AuthorizationConfigurationOthers {
  /// Reads members of the document.
  mutating func readMembers(_ object: inout DocumentObject) throws(PolicyDocumentError)

  /// Reads a route of the program's own.
  ///
  /// - Returns: false for a route with a policy of tokens.
  mutating func readRoute(_ name: String, _ object: inout DocumentObject) throws(PolicyDocumentError) -> Bool

  /// The number of routes that were read.
  var routeCount: Int { get }
}

/// Has nothing.
struct NoOthers: AuthorizationConfigurationOthers {
  func readMembers(_ object: inout DocumentObject) {}
  func readRoute(_ name: String, _ object: inout DocumentObject) -> Bool { false }
  var routeCount: Int { 0 }
}
