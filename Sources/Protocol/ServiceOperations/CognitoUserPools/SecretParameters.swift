extension SecretText {
  /// A copy as a string, which is not wiped.
  public var unwipedCopy: String {
    withBytes { bytes in
      var copy: [UInt8] = []
      copy.reserveCapacity(bytes.count)
      for index in bytes.indices { copy.append(bytes[index]) }
      return String(decoding: copy, as: UTF8.self)
    }
  }
}

extension [ExactString: SecretText] {
  /// The text of a parameter that is not a secret, such as a user name.
  ///
  /// - Parameter name: the parameter's name.
  /// - Returns: the text; nil for an absent parameter.
  public func text(of name: ExactString) -> String? { self[name]?.unwipedCopy }
}
