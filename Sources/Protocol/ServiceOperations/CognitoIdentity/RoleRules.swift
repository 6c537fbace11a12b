extension RoleMappingSettings.Rule {
  /// Makes a rule from its parts.
  public init(claim: String, match: Match, value: String, roleARN: String) {
    self.init()
    self.claim = claim
    self.match = match
    self.value = value
    self.roleARN = roleARN
  }
}
