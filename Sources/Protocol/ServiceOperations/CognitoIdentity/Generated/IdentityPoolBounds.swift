// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

extension TextBounds {
  package static let accountID = TextBounds(1...15, #"\d+"#)
  package static let claim = TextBounds(1...64, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
  package static let claimValue = TextBounds(1...128)
  package static let developerProvider = TextBounds(1...128, #"[\w._-]+"#)
  package static let developerUser = TextBounds(1...1_024)
  package static let identityID = TextBounds(1...55, .identityID)
  package static let identityPageToken = TextBounds(1...65_535, #"[\S]+"#)
  package static let loginToken = TextBounds(1...50_000).sensitive
  package static let poolName = TextBounds(1...128, #"[\w\s+=,.@-]+"#)
  package static let principalTag = TextBounds(1...128)
  package static let principalTagValue = TextBounds(1...256)
  package static let provider = TextBounds(1...128)
  package static let providerID = TextBounds(1...128, #"[\w.;_/-]+"#)
  package static let resourceARN = TextBounds(20...2_048)
  package static let roleType = TextBounds(1...128, .roleType)
  package static let tagKey = TextBounds(1...128)
  package static let tagValue = TextBounds(0...256)
  package static let userPool = TextBounds(1...128, #"[\w._:/-]+"#)
  package static let userPoolClient = TextBounds(1...128, #"[\w_]+"#)
}

extension IntegerBounds {
  package static let pageSize = IntegerBounds.integer(1...60)
}

extension ListBounds<TextBounds> {
  package static var identityIDs: Self { Self(1...60, of: .identityID) }
}

extension MapBounds<TextBounds> {
  package static var loginProviders: Self { Self(0...10, keys: .provider, values: .providerID) }
  package static var logins: Self { Self(0...10, keys: .provider, values: .loginToken) }
  package static var principalTags: Self { Self(0...50, keys: .principalTag, values: .principalTagValue) }
  package static var roles: Self { Self(0...2, keys: .roleType, values: .resourceARN) }
  package static var tags: Self { Self(keys: .tagKey, values: .tagValue, ownLimit: 50) }
}

extension MapBounds<NoBounds> {
  package static var roleMappings: Self { Self(0...10, keys: .provider) }
}
