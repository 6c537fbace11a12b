extension [ExactString: SecretText] {
  /// The text of a parameter that is no secret, such as a user name.
  ///
  /// - Parameter name: the parameter's name.
  /// - Returns: the text; nil for an absent parameter.
  public func text(of name: ExactString) -> String? {
    guard let secret = self[name] else { return nil }
    return secret.withBytes { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      for index in bytes.indices { copy.append(bytes[index]) }
      return String(decoding: copy, as: UTF8.self)
    }
  }
}
