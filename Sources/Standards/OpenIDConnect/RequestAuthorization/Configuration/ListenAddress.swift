internal import HTTPExchange
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Where a sidecar listens: a socket in the file system, or a port of this machine. Other machines cannot reach it.
public enum ListenAddress: Sendable, Hashable {
  /// A Unix socket: its absolute path and the mode of the file. The path has at most 103 bytes, its folder 95. No part of
  /// it is empty, "." or "..": a file has one such path, unless there are links.
  case socket(path: String, mode: UInt32)
  /// An address of this machine (127.0.0.0/8, ::1) and a port; 0 for any free one.
  case loopback(host: String, port: Int)

  /// The mode of a socket where none is given: its user and group may connect.
  public static let defaultMode: UInt32 = 0o660

  /// Reads `unix:/PATH`, `127.0.0.1:PORT` or `[::1]:PORT`. Nil for another text.
  ///
  /// - Parameter text: the text.
  public init?(_ text: String) {
    if let path = text.rest(after: "unix:") {
      guard let path = Self.plain(path) else { return nil }
      self = .socket(path: path, mode: Self.defaultMode)
      return
    }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let host = Substring(text.utf8[..<colon])
    let digits = text.utf8[text.utf8.index(after: colon)...]
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(String(Substring(digits))), port <= 65_535
    else { return nil }
    let isBracketed = host.utf8.first == UInt8(ascii: "[")
    guard let address = isBracketed ? IPAddress(host) : IPAddress(version4: host), address.isLoopback else {
      return nil
    }
    self = .loopback(host: address.text, port: port)
  }

  /// A path without parts that are empty or "."; nil for one that cannot be a socket's.
  private static func plain(_ path: String) -> String? {
    let slash = UInt8(ascii: "/")
    func namesSameFolder(_ part: Substring.UTF8View) -> Bool { part.isEmpty || part.elementsEqual(".".utf8) }
    let parts = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
    guard path.utf8.first == slash, !path.utf8.contains(0), let name = parts.last, !namesSameFolder(name),
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    let plain = parts.filter { !namesSameFolder($0) }.map { "/" + String(Substring($0)) }.joined()
    // The server takes paths of 103 bytes, and binds the socket under a name of seven bytes in its folder.
    let size = plain.utf8.count
    return size <= 103 && size - name.count <= 96 ? plain : nil
  }

  /// Whether a process can listen on one of the two addresses only.
  func isSameAddress(as other: ListenAddress) -> Bool {
    switch (self, other) {
    case (.socket(let own, _), .socket(let other, _)): own.isIdentical(to: other)
    case (.loopback(let own, let port), .loopback(let other, let otherPort)):
      port == otherPort && own.isIdentical(to: other)
    default: false
    }
  }
}
