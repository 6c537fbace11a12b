internal import TokenSecurityBase
package import TokenSecurityPlatform

/// Finds the client of a request that came through proxies, from `X-Forwarded-For` and `Forwarded` (RFC 7239).
///
/// A proxy appends the address of its peer to the right. The lists are read from the right, as long as an
/// entry was written by a trusted proxy: the first address that is not a trusted proxy's is the client. What
/// is further left was written by the client and is not read.
package struct TrustedProxies: Sendable {
  /// Maximum number of entries of a list that are read. More than this number of proxies in a row are not trusted.
  package static let entryLimit = 32
  /// Maximum size of an entry in bytes.
  package static let entrySize = 256

  private let ranges: [IPAddressRange]

  /// Trusts proxies with these addresses.
  ///
  /// - Parameter ranges: the addresses.
  package init(_ ranges: [IPAddressRange]) { self.ranges = ranges }

  /// Returns true for the address of a trusted proxy.
  ///
  /// - Parameter address: the address of a peer.
  /// - Returns: whether the fields of its requests are read.
  package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// The client of a request.
  package struct Client: Sendable, Hashable {
    /// The client's address; that of a proxy if the fields do not name the client.
    package let address: IPAddress
    /// False where the fields do not name the client: an entry is not an address, or the fields contradict each other. Then
    /// `address` is that of the proxy which wrote the entry, or of the peer.
    package let isNamed: Bool
    /// False where both fields are present and name different clients. A proxy that sets one of them may pass
    /// the other one through, so that neither can be trusted, and `address` is the peer's.
    package let isAgreed: Bool
  }

  /// Finds the client of a request.
  ///
  /// - Parameters:
  ///   - peer: the address of the connection.
  ///   - forwardedFor: the values of `X-Forwarded-For`, one for each field line.
  ///   - forwarded: the values of `Forwarded`.
  /// - Returns: the client. The peer itself if it is not a trusted proxy or sent neither field.
  package func client(of peer: IPAddress, forwardedFor: [String], forwarded: [String]) -> Client {
    let peer = peer.unmapped
    guard contains(peer), !forwardedFor.isEmpty || !forwarded.isEmpty else {
      return Client(address: peer, isNamed: true, isAgreed: true)
    }
    let ofBoth = [
      forwardedFor.isEmpty ? nil : walk(from: peer, forwardedFor, isForwarded: false),
      forwarded.isEmpty ? nil : walk(from: peer, forwarded, isForwarded: true),
    ].compactMap { $0 }
    guard let first = ofBoth.first, ofBoth.allSatisfy({ $0.address == first.address }) else {
      return Client(address: peer, isNamed: false, isAgreed: false)
    }
    return Client(address: first.address, isNamed: ofBoth.allSatisfy { $0.isNamed }, isAgreed: true)
  }

  /// The client that a field names; for one that it does not name, the last trusted proxy.
  private func walk(from peer: IPAddress, _ lines: [String], isForwarded: Bool)
    -> (address: IPAddress, isNamed: Bool)
  {
    var client = peer
    var isNamed = false
    var count = 0
    for line in lines.reversed() {
      var rest = line.utf8[...]
      repeat {
        count += 1
        guard count <= Self.entryLimit,
          let entry = Self.removeLast(of: &rest, hasQuotes: isForwarded)
        else { return (client, false) }
        // RFC 9110 section 5.6.1: empty elements of a list are ignored.
        if entry.isEmpty { continue }
        guard let address = isForwarded ? Self.forwardedNode(entry) : Self.address(entry) else {
          return (client, false)
        }
        client = address.unmapped
        isNamed = true
        guard contains(client) else { return (client, true) }
      } while !rest.isEmpty
    }
    return (client, isNamed)
  }

  /// Removes the last element of a list with its comma; nil for one that is too large or not closed.
  ///
  /// Quotes are matched from the right, so that an open quote further left, in a client's entry, does not
  /// change a proxy's. An escaped quote would end the element too early; elements with backslashes are
  /// refused later.
  private static func removeLast(of rest: inout Substring.UTF8View, hasQuotes: Bool) -> Substring.UTF8View? {
    var isQuoted = false
    var size = 0
    var start = rest.endIndex
    while start > rest.startIndex {
      let before = rest.index(before: start)
      if rest[before] == UInt8(ascii: ","), !isQuoted { break }
      if hasQuotes, rest[before] == UInt8(ascii: "\"") { isQuoted.toggle() }
      size += 1
      guard size <= entrySize else { return nil }
      start = before
    }
    guard !isQuoted else { return nil }
    let element = trimmed(rest[start...])
    rest = start > rest.startIndex ? rest[..<rest.index(before: start)] : rest[..<rest.startIndex]
    return element
  }

  /// The address of `for=` in an element of `Forwarded` (RFC 7239 section 4).
  private static func forwardedNode(_ element: Substring.UTF8View) -> IPAddress? {
    guard !element.contains(UInt8(ascii: "\\")) else { return nil }
    var node: Substring.UTF8View?
    var isQuoted = false
    let pairs = element.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ";") && !isQuoted
    }
    for pair in pairs {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      guard String(Substring(trimmed(parts[0]))).lowercasedASCII == "for" else { continue }
      guard node == nil else { return nil }
      node = trimmed(parts[1])
    }
    guard var value = node else { return nil }
    let quote = UInt8(ascii: "\"")
    if value.count >= 2, value.first == quote, value.last == quote { value = value.dropFirst().dropLast() }
    return address(value)
  }

  /// An address, which may have a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
  private static func address(_ text: Substring.UTF8View) -> IPAddress? {
    let colon = UInt8(ascii: ":")
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inner = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || (rest.first == colon && isPort(rest.dropFirst())),
        inner.allSatisfy(IPAddress.isAddressByte)
      else { return nil }
      return IPAddress(version6: Substring(inner))
    }
    guard text.allSatisfy(IPAddress.isAddressByte) else { return nil }
    if let first = text.firstIndex(of: colon), text[text.index(after: first)...].firstIndex(of: colon) == nil
    {
      guard isPort(text[text.index(after: first)...]) else { return nil }
      return IPAddress(version4: Substring(text[..<first]))
    }
    return IPAddress(Substring(text))
  }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    (1...5).contains(text.count) && text.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start[start.endIndex...] }
    return start[...last]
  }
}
