internal import TokenSecurityBase

/// The attributes that users of every pool have.
package enum StandardAttributes {
  /// All 20, in the order of the service.
  package static let all: [SchemaAttribute] = [
    make("sub") {
      $0.isMutable = false
      $0.isRequired = true
      $0.least = "1"
    },
    make("name"), make("given_name"), make("family_name"), make("middle_name"), make("nickname"),
    make("preferred_username"), make("profile"), make("picture"), make("website"), make("email"),
    makeFlag("email_verified"), make("gender"),
    make("birthdate") {
      $0.least = "10"
      $0.greatest = "10"
    },
    make("zoneinfo"), make("locale"), make("phone_number"), makeFlag("phone_number_verified"),
    make("address"),
    make("updated_at") {
      $0.type = "Number"
      $0.least = "0"
      $0.greatest = nil
    },
  ]

  /// A standard attribute's default settings; nil for another name.
  ///
  /// - Parameter name: a name.
  /// - Returns: the settings.
  package static func named(_ name: String) -> SchemaAttribute? { all.first { $0.name == name } }

  private static func make(_ name: String, _ change: (inout SchemaAttribute) -> Void = { _ in })
    -> SchemaAttribute
  {
    var attribute = SchemaAttribute()
    attribute.name = name
    attribute.least = "0"
    attribute.greatest = "2048"
    change(&attribute)
    return attribute
  }

  private static func makeFlag(_ name: String) -> SchemaAttribute {
    var attribute = SchemaAttribute()
    attribute.name = name
    attribute.type = "Boolean"
    return attribute
  }
}

extension SchemaAttribute {
  /// The prefix of a pool's own attributes.
  package static let customPrefix = "custom:"
  /// The prefix of attributes that only administrators see.
  package static let developerPrefix = "dev:"

  /// The name in operations: `dev:` comes first for an attribute that only administrators see.
  package var fullName: String {
    isDeveloperOnly && !name.hasPrefix(Self.developerPrefix) ? Self.developerPrefix + name : name
  }
}

extension UserPool {
  /// The settings of an attribute; nil for one that users of this pool do not have.
  ///
  /// - Parameter name: the name in operations.
  /// - Returns: the settings.
  package func attribute(_ name: String) -> SchemaAttribute? {
    schema.first { $0.fullName == name } ?? StandardAttributes.named(name)
  }

  /// All attributes: the standard ones first, then the pool's own.
  package var allAttributes: [SchemaAttribute] {
    let standard = StandardAttributes.all.map { attribute in
      schema.first { $0.name == attribute.name } ?? attribute
    }
    return standard + schema.filter { StandardAttributes.named($0.name) == nil }
  }
}
