extension Members {
  /// A member without bounds that must be present.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the property.
  ///   - location: where a request has it.
  public mutating func required<Value: MemberValue>(
    _ name: String, _ value: inout Value, in location: MemberLocation = .body
  ) where Value.Bounds == NoBounds {
    required(name, &value, NoBounds(), in: location)
  }

  /// A member without bounds that may be absent.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - value: the property.
  ///   - location: where a request has it.
  public mutating func optional<Value: MemberValue>(
    _ name: String, _ value: inout Value?, in location: MemberLocation = .body
  ) where Value.Bounds == NoBounds {
    optional(name, &value, NoBounds(), in: location)
  }
}
