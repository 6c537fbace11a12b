internal import TokenSecurityEncodings

/// A map whose size, keys and values were checked when it was made.
protocol CheckedMap: Sendable {
  static var bounds: MapBounds { get }
  init(checked values: NameMap<String>)
}

extension CheckedMap {
  static var none: Self { Self(checked: [:]) }

  init(_ values: NameMap<String>) throws(IdentityError) {
    try Self.bounds.check(values)
    self.init(checked: values)
  }

  /// Reads the member of a request; nil where it is absent.
  init?(_ parameters: Parameters) throws(IdentityError) {
    guard let values = try parameters.map(Self.bounds) else { return nil }
    self.init(checked: values)
  }
}

/// The logins of a call: providers' names, each with a token or with the identifier of a developer's user.
struct Logins: CheckedMap {
  static let bounds = MapBounds.logins
  let values: NameMap<String>

  init(checked values: NameMap<String>) { self.values = values }

  /// The developer token; nil where there is none.
  var developerToken: String? { values[LoginProvider.developerTokenName] }
}

/// The session tags that a developer gives a token.
struct PrincipalTags: CheckedMap {
  static let bounds = MapBounds.principalTags
  let values: NameMap<String>

  init(checked values: NameMap<String>) { self.values = values }
}
