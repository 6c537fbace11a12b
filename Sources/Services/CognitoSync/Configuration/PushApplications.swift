internal import TokenSecurityBase

extension PushConfiguration {
  /// Makes the settings of a pool; nil for settings that are empty: the pool sends no messages.
  ///
  /// - Parameters:
  ///   - settings: the settings in the request.
  ///   - poolID: the pool's id.
  /// - Throws: `parameterRefused` for settings that are incomplete, for a platform that does not exist, and for two
  ///   applications of one platform.
  package init?(_ settings: PushSettings, poolID: String) throws(SyncError) {
    let applications = settings.applicationARNs ?? []
    if applications.isEmpty, settings.roleARN == nil { return nil }
    guard let role = settings.roleARN else {
      throw .parameterRefused("RoleArn", rule: "applications need a role that may use them")
    }
    guard !applications.isEmpty else {
      throw .parameterRefused("ApplicationArns", rule: "a role alone sends no messages")
    }
    var platforms: Set<PushPlatform> = []
    for arn in applications {
      guard let platform = PushApplication.platform(ofARN: arn) else {
        throw .parameterRefused(
          "ApplicationArns", rule: "\(arn.quoted) is of no platform that devices can be registered with")
      }
      guard platforms.insert(platform).inserted else {
        throw .parameterRefused("ApplicationArns", rule: "two applications are of \(platform.name)")
      }
    }
    self.init(poolID: poolID, applicationARNs: applications, roleARN: role)
  }

  /// The settings as requests have them.
  package var members: PushSettings {
    PushSettings {
      $0.applicationARNs = applicationARNs
      $0.roleARN = roleARN
    }
  }
}
