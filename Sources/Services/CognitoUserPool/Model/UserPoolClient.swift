package import Records
package import TokenLifetime
package import TokenSecurityBase

/// An app client of a pool.
package struct UserPoolClient: StoredFields {
  /// The id: 26 lower-case letters and digits.
  package var id = ""
  /// The pool's id.
  package var poolID = ""
  /// The name.
  package var name = ""
  package var created = Timestamp(seconds: 0)
  package var modified = Timestamp(seconds: 0)
  /// The sealed secret; nil for a public client.
  package var sealedSecret: [UInt8]?
  /// The flows; nil where the request named none.
  package var flows: [AuthFlow]?
  /// The attributes that it reads; nil for the standard ones.
  package var readAttributes: [String]?
  /// The attributes that it writes; nil for the standard ones.
  package var writeAttributes: [String]?
  /// Lifetimes in their units; nil or 0 for the default.
  package var accessLifetime: Int64?
  package var idLifetime: Int64?
  package var refreshLifetime: Int64?
  package var accessUnit: LifetimeUnit?
  package var idUnit: LifetimeUnit?
  package var refreshUnit: LifetimeUnit?
  /// Whether unknown users are answered as known ones.
  package var preventsExistenceErrors = false
  package var isRevocationEnabled = true
  /// The seconds in which a replaced refresh token serves; nil where refresh tokens are not replaced.
  package var rotationGrace: Int64?
  /// The minutes in which a sign-in's session is valid, 3 to 15.
  package var sessionMinutes: Int64 = 3
  /// Whether the unsigned operations learn about the user's data (`EnablePropagateAdditionalUserContextData`).
  package var propagatesContext = false
  /// Settings that are only echoed, as JSON by their member's name: `CallbackURLs`, `AllowedOAuthFlows`, ...
  package var echoed: [ExactString: String] = [:]

  package init() {}

  package var hasSecret: Bool { sealedSecret != nil }

  private static func seconds(
    _ count: Int64?, _ unit: LifetimeUnit?, _ rule: LifetimeRule, _ other: LifetimeUnit
  ) -> Duration {
    guard let count, count > 0 else { return rule.standard ?? rule.longest }
    return min(max(.seconds(count.saturatingProduct((unit ?? other).seconds)), rule.shortest), rule.longest)
  }

  /// The lifetime of access tokens. Default: an hour.
  package var accessTokenLifetime: Duration {
    Self.seconds(accessLifetime, accessUnit, .userPoolAccessToken, .hours)
  }
  /// The lifetime of ID tokens. Default: an hour.
  package var idTokenLifetime: Duration { Self.seconds(idLifetime, idUnit, .userPoolIDToken, .hours) }
  /// The lifetime of refresh tokens. Default: 30 days.
  package var refreshTokenLifetime: Duration {
    Self.seconds(refreshLifetime, refreshUnit, .refreshToken, .days)
  }
  package var sessionLifetime: Duration { .seconds(min(max(sessionMinutes, 3), 15) * 60) }
  /// How long a replaced refresh token serves; nil where refresh tokens are not replaced.
  package var replacementGrace: Duration? { rotationGrace.map { .seconds(min(max($0, 0), 60)) } }

  /// True where the client allows a flow. Default: SRP, custom challenges and refreshing.
  package func allows(_ flow: AuthFlow) -> Bool {
    (flows ?? [.allowRefreshToken, .allowUserSRP, .allowCustom]).contains(flow)
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &id)
    f.text("pool", &poolID)
    f.text("name", &name)
    f.time("created", &created)
    f.time("modified", &modified)
    f.optional("secret", &sealedSecret)
    f.optional("flows", &flows, .list(.choice))
    f.optional("read", &readAttributes, .list(.text))
    f.optional("write", &writeAttributes, .list(.text))
    f.optional("accessLifetime", &accessLifetime)
    f.optional("idLifetime", &idLifetime)
    f.optional("refreshLifetime", &refreshLifetime)
    f.optional("accessUnit", &accessUnit)
    f.optional("idUnit", &idUnit)
    f.optional("refreshUnit", &refreshUnit)
    f.flag("preventsExistenceErrors", &preventsExistenceErrors)
    f.flag("revocation", &isRevocationEnabled)
    f.optional("rotationGrace", &rotationGrace)
    f.number("sessionMinutes", &sessionMinutes)
    f.flag("propagatesContext", &propagatesContext)
    f.map("echoed", &echoed)
  }
}
