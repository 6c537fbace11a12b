internal import TokenSecurityBase

/// A structure as JSON outside of requests: in stores, and in samples. All members are in one object.
extension Structure {
  /// Reads a structure.
  ///
  /// - Parameters:
  ///   - json: the JSON.
  ///   - limit: the most bytes.
  /// - Throws: the refusal of JSON whose members are not within their bounds.
  package init(json: consuming [UInt8], limit: Int) throws(OperationError) {
    let input = try MemberInput(json: &json, limit: limit)
    var members = Members(reading: input, refusesUnknown: false, ignoresLocations: true)
    self.init()
    members.readStructure(&self, at: .root)
    if let refusal = members.refusal { throw refusal }
  }

  /// The structure's JSON.
  package var json: [UInt8] {
    var copy = self
    var members = Members(writing: MemberWriter(.json))
    members.writeStructure(&copy)
    return members.output.bytes
  }
}
