internal import HTTPExchange
internal import ServiceHosting
internal import TokenSecurityBase

/// The web origins whose pages may call the service (RFC 6454 section 6.2). Origins are compared by their bytes,
/// as browsers send them.
struct AllowedOrigins: Sendable {
  private let origins: Set<ExactString>
  /// True where every origin is allowed.
  let allowsAll: Bool

  /// The value that allows every origin.
  static let all = "*"

  /// - Throws: `OperatingError` for a text that is not an origin.
  init(_ texts: [String]) throws {
    allowsAll = texts.contains { $0 == Self.all }
    origins = Set(
      try texts.filter { !($0 == Self.all) }.map { text in
        guard Self.isOrigin(text) else {
          throw OperatingError(
            "the allowed-origin \(text.quoted) is not * or an origin as browsers send it: a scheme, a host in lower case, and the port if it is not the default, for instance https://app.example"
          )
        }
        return ExactString(text)
      })
  }

  var isEmpty: Bool { origins.isEmpty && !allowsAll }

  /// Returns true where pages of an origin may call the service.
  func contains(_ origin: String) -> Bool { allowsAll || origins.contains(ExactString(origin)) }

  /// A scheme, `://`, a host and a port. Apps have schemes of their own: `capacitor://localhost`.
  private static func isOrigin(_ text: String) -> Bool {
    let parts = text.parts(at: ":", most: 2)
    guard parts.count == 2, isScheme(parts[0]), let host = parts[1].rest(after: "//") else { return false }
    guard let url = try? HTTPURL("https://" + host), url.path == "/", url.query == nil,
      HostName.isPlain(host), host.lowercasedASCII == host
    else { return false }
    let standard = parts[0] == "https" ? ":443" : parts[0] == "http" ? ":80" : nil
    return !host.hasSuffix("/") && standard.map { !host.hasSuffix($0) } != false
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }
  }
}
