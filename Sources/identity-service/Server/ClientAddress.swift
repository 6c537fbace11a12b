internal import TokenSecurityPlatform

/// A client as limits count it: an IPv4 address or an IPv6 /64 network.
struct ClientAddress: Hashable, Sendable {
  private let family: UInt8
  private let network: UInt64

  /// All connections without a network address, as one client.
  static let unknown = ClientAddress(family: 0, network: 0)

  private init(family: UInt8, network: UInt64) {
    self.family = family
    self.network = network
  }

  /// Reads an address like `192.0.2.1` or `2001:db8::1`. An IPv4-mapped address (`::ffff:192.0.2.1`) counts
  /// as IPv4.
  init(_ text: String?) {
    func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    if let bytes = text.flatMap({ Self.bytes($0, AF_INET, 4) }) {
      self.init(family: 4, network: number(bytes))
    } else if let bytes = text.flatMap({ Self.bytes($0, AF_INET6, 16) }) {
      if bytes.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
        self.init(family: 4, network: number(bytes.dropFirst(12)))
      } else {
        self.init(family: 6, network: number(bytes.prefix(8)))
      }
    } else {
      self = .unknown
    }
  }

  private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let isRead = unsafe bytes.withUnsafeMutableBytes { unsafe inet_pton(family, text, $0.baseAddress) == 1 }
    return isRead ? bytes : nil
  }

  /// Returns true for a loopback address.
  static func isLoopback(_ text: String?) -> Bool {
    guard let text else { return false }
    if let bytes = bytes(text, AF_INET, 4) { return bytes[0] == 127 }
    return bytes(text, AF_INET6, 16) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
  }
}
