internal import ServiceHosting
internal import TokenSecurityBase

/// The variables that Kubernetes sets in each container for a Service named `identity-service`. They are no
/// settings: its `IDENTITY_SERVICE_PORT` is `tcp://10.0.0.1:443`.
enum ServiceVariables {
  /// True for one of them.
  ///
  /// - Parameters:
  ///   - name: the variable's name after `IDENTITY_SERVICE_`.
  ///   - value: its value.
  /// - Returns: whether it is one.
  static func contains(_ name: String, _ value: String) -> Bool {
    let words = name.parts(at: "_", most: 6).map { ExactString($0) }
    if words.starts(with: ["SERVICE", "HOST"]) { return words.count == 2 }
    if words.starts(with: ["SERVICE", "PORT"]) { return true }
    guard words.first == "PORT" else { return false }
    if words.count == 1 {
      return ["tcp://", "udp://", "sctp://"].contains { value.utf8.starts(with: $0.utf8) }
    }
    // PORT_443_TCP, PORT_443_TCP_ADDR.
    guard words.count == 3 || (words.count == 4 && ["PROTO", "PORT", "ADDR"].contains(words[3])) else {
      return false
    }
    let isNumber = words[1].text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber && ["TCP", "UDP", "SCTP"].contains(words[2])
  }
}
