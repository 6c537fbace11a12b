package import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityEncodings

// The bounds of the members of identity pools' operations, by the names of the service's model.

extension TextPattern {
  /// The id of a pool or identity: a region, a colon, a UUID.
  static let identityID = TextPattern(
    #"[\w-]+:[0-9a-f-]+"#, example: "eu-west-1:01234567-89ab-cdef-0123-456789abcdef"
  ) { text in
    var colon: Int?
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: ":"):
        guard colon == nil else { return false }
        colon = index
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        guard colon == nil else { return false }
      default: return false
      }
    }
    guard let colon else { return false }
    return colon > 0 && colon < text.count - 1
  }

  /// A kind of role.
  static let roleType = TextPattern(
    "(un)?authenticated", texts: ["authenticated", "unauthenticated"])
}

extension TextBounds {
  package static let identityID = TextBounds(1...55, .identityID)
  package static let accountID = TextBounds(1...15, #"\d+"#)
  package static let poolName = TextBounds(1...128, #"[\w\s+=,.@-]+"#)
  package static let developerProvider = TextBounds(1...128, #"[\w._-]+"#)
  package static let developerUser = TextBounds(1...1_024)
  package static let provider = TextBounds(1...128)
  package static let providerID = TextBounds(1...128, #"[\w.;_/-]+"#)
  package static let userPool = TextBounds(1...128, #"[\w._:/-]+"#)
  package static let userPoolClient = TextBounds(1...128, #"[\w_]+"#)
  package static let arn = TextBounds(20...2_048)
  /// A login's token, or the identifier of a developer's user.
  package static let loginToken = TextBounds(1...50_000).sensitive
  package static let tagKey = TextBounds(1...128)
  package static let tagValue = TextBounds(0...256)
  package static let principalTag = TextBounds(1...128)
  package static let principalTagValue = TextBounds(1...256)
  package static let nextToken = TextBounds(1...65_535, #"[\S]+"#)
  package static let roleType = TextBounds(1...128, .roleType)
  package static let claim = TextBounds(1...64, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
  package static let claimValue = TextBounds(1...128)
  package static let token = TextBounds.any.sensitive
}

extension IntegerBounds {
  /// The size of a page.
  package static let pageSize = IntegerBounds.integer(1...60)
  /// A token's lifetime in seconds.
  package static let tokenDuration = IntegerBounds.long(
    LifetimeRule.developerToken.shortest.wholeSeconds...LifetimeRule.developerToken.longest.wholeSeconds)
}

extension MapBounds<TextBounds> {
  package static var logins: Self { Self(0...10, keys: .provider, values: .loginToken) }
  package static var principalTags: Self { Self(0...50, keys: .principalTag, values: .principalTagValue) }
  package static var tags: Self { Self(keys: .tagKey, values: .tagValue, ownLimit: 50) }
  package static var roles: Self { Self(0...2, keys: .roleType, values: .arn) }
  package static var loginProviders: Self { Self(0...10, keys: .provider, values: .providerID) }
}

extension ListBounds<TextBounds> {
  package static var arns: Self { Self(of: .arn) }
  package static var providers: Self { Self(of: .provider) }
  package static var tagKeys: Self { Self(of: .tagKey) }
  package static var identityIDs: Self { Self(1...60, of: .identityID) }
}

extension MapBounds<NoBounds> {
  package static var roleMappings: Self { Self(0...10, keys: .provider) }
}
