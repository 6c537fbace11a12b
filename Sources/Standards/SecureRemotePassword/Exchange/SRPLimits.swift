/// The largest accepted sizes, in bytes.
package enum SRPLimits {
  package static let salt = 1_024
  package static let identity = 2_048
  package static let password = 4_096

  package static func check(_ count: Int, _ part: SRPError.Part, _ limit: Int) throws(SRPError) {
    guard count <= limit else { throw .tooLong(part, size: count, limit: limit) }
  }

  /// Refuses an empty or too long salt.
  package static func check(salt: [UInt8]) throws(SRPError) {
    guard !salt.isEmpty else { throw .empty(.salt) }
    try check(salt.count, .salt, self.salt)
  }
}
