internal import TokenSecurityBase

/// A user after changes of attributes, and the addresses that must be verified then.
package struct ChangedUser: Sendable {
  /// The user after the changes.
  package var user: User
  /// New addresses to which codes are sent.
  package var unverified: [VerifiedAttribute: String] = [:]
  /// Addresses whose earlier codes are void.
  package var replaced: Set<VerifiedAttribute> = []

  /// Applies checked changes.
  ///
  /// A new address replaces the old one at once and is not verified, or waits until it is verified in pools
  /// that demand that. An administrator can say that it is verified.
  ///
  /// - Parameters:
  ///   - update: the changes, of ``AttributeRules``.
  ///   - user: the user.
  ///   - pool: the pool.
  package init(_ update: AttributeUpdate, of user: User, in pool: UserPool) {
    var update = update
    self.user = user
    for attribute in VerifiedAttribute.allCases {
      let (key, flag) = (attribute.rawValue, ExactString(attribute.flag))
      if update.removed.contains(key) {
        self.user.pending[key] = nil
        replaced.insert(attribute)
      }
      guard let new = update.set[key] else { continue }
      // The pending address is given up, also for the present one.
      self.user.pending[key] = nil
      replaced.insert(attribute)
      let isVerified = update.set[flag] == "true"
      guard new != user.attribute(attribute.name), !isVerified else { continue }
      if pool.verifiedBeforeUpdate.contains(attribute) {
        update.set[key] = nil
        update.set[flag] = nil
        self.user.pending[key] = new
        unverified[attribute] = new
      } else if pool.autoVerified.contains(attribute) {
        unverified[attribute] = new
      }
    }
    self.user.attributes = update.applied(to: user.attributes)
  }

  /// Where codes are sent, e-mail last.
  package var destinations: [Destination] {
    VerifiedAttribute.allCases.compactMap { attribute in
      unverified[attribute].map { Destination(attribute, $0) }
    }
  }

  /// The user with all new addresses, for the check of aliases.
  package var userOnceVerified: User {
    var verified = user
    for (attribute, address) in unverified {
      verified.attributes[attribute.rawValue] = address
      verified.attributes[ExactString(attribute.flag)] = "true"
    }
    return verified
  }
}
