internal import AccessPolicies
internal import TokenSecurityBase

/// The condition keys that a trust policy's statement may use.
///
/// A condition on a key without value, or on several values without a quantifier, never applies. A Deny with
/// such a condition would allow every caller, so the policy is refused when it is loaded.
enum TrustContext {
  static let audience = "cognito-identity.amazonaws.com:aud"
  static let methods = "cognito-identity.amazonaws.com:amr"
  static let subject = "cognito-identity.amazonaws.com:sub"
  static let sourceAccount = "aws:sourceaccount"
  static let sourceARN = "aws:sourcearn"

  /// The service principal that publishes changes of data sets.
  static let synchronization = "cognito-sync.amazonaws.com"

  private static let actions = [
    "sts:assumerole", "sts:assumerolewithwebidentity", "sts:assumerolewithsaml", "sts:tagsession",
    "sts:setsourceidentity", "sts:setcontext",
  ]

  /// Checks a statement's elements, condition keys, actions and principals.
  ///
  /// - Throws: `trustPolicyInvalid`.
  static func check(_ statement: Statement) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    try TrustElements.check(statement)
    let identities = statement.names(.federated, TrustPolicy.identityProvider)
    let synchronization = statement.names(.service, synchronization)
    let signers = statement.principals?.entries.contains { $0.isSigner } ?? false
    for condition in statement.conditions {
      let key = condition.name.text
      let isSource = key == sourceAccount || key == sourceARN
      let isOfIdentity = key == audience || key == methods || key == subject
      let isOfSigner = isSignersKey(key)
      // A Deny may use only keys that requests of each of its principals can have.
      let isKnown =
        (identities ? isOfIdentity : true) && (synchronization ? isSource : true)
        && (signers && !statement.isAllow ? isOfSigner : true)
        && (isOfIdentity || isSource || signers && isOfSigner)
      guard isKnown else {
        throw invalid("a request of this principal does not have the condition key \(condition.key.quoted)")
      }
      guard condition.name.text != methods || condition.quantifier != .single else {
        throw invalid(
          "\(methods) has several values: write ForAnyValue:\(condition.comparison.name) or ForAllValues:\(condition.comparison.name)"
        )
      }
    }
    if identities || synchronization || signers {
      for (index, action) in statement.actions.texts.enumerated() {
        guard actions.contains(where: { statement.actions.pattern(at: index, matches: $0) }) else {
          throw invalid("the action \(action.quoted) is not one of AWS STS")
        }
      }
    }
    if statement.isAllow {
      if identities { try checkPool(statement) }
      if synchronization { try checkSource(statement) }
    } else if let other = statement.firstOtherPrincipal {
      throw invalid("a Deny for \(other.quoted) would never apply")
    }
  }

  /// True for the keys of a request of `AssumeRole`, in lower case.
  private static func isSignersKey(_ key: String) -> Bool {
    let keys = [
      "sts:externalid", "sts:rolesessionname", "sts:sourceidentity", "aws:sourceidentity", "aws:principalarn",
      "aws:principalaccount", "aws:principaltype", "aws:userid", "aws:username", "aws:tagkeys",
    ]
    return keys.contains(key) || key.hasPrefix("aws:requesttag/") || key.hasPrefix("aws:principaltag/")
  }

  private static func checkPool(_ statement: Statement) throws(IdentityError) {
    guard statement.conditions.contains(where: { $0.bindsPool }) else {
      throw .trustPolicyInvalid(
        rule: "StringEquals on \(audience) is missing: any identity pool could assume the role")
    }
  }

  /// A service acts for any account: the role must name its account and its pool.
  private static func checkSource(_ statement: Statement) throws(IdentityError) {
    try check(
      statement, "aws:SourceAccount", [.stringEquals],
      missing:
        "StringEquals on aws:SourceAccount with an account of 12 digits is missing: any account could use the role"
    ) { $0.isDigits(count: 12) ? nil : "is not an account of 12 digits" }
    try check(
      statement, "aws:SourceArn", [.arnLike, .arnEquals, .stringEquals],
      missing: "ArnLike on aws:SourceArn with an identity pool's ARN is missing: any pool could use the role",
      problem: problem(ofPoolARN:))
  }

  /// Checks that a condition on a key has only values without a problem, or names the first problem.
  private static func check(
    _ statement: Statement, _ key: String, _ comparisons: [ConditionOperator],
    missing: String, problem: (String) -> String?
  ) throws(IdentityError) {
    let name = key.lowercasedASCII
    let conditions = statement.conditions.filter {
      $0.name.text == name && comparisons.contains($0.comparison) && $0.quantifier == .single
    }
    var found: String? = nil
    for condition in conditions {
      guard let value = condition.values.first(where: { problem($0) != nil }) else { return }
      found = found ?? problem(value).map { "\(key) is \(value.quoted(upTo: 256)), which \($0)" }
    }
    throw .trustPolicyInvalid(rule: found ?? missing)
  }

  /// Why a text is not `arn:aws:cognito-identity:REGION:ACCOUNT:identitypool/ID` without wildcards; nil if it is.
  private static func problem(ofPoolARN text: String) -> String? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) else {
      return "has a wildcard: other pools could use the role"
    }
    let parts = text.parts(at: ":", most: 6)
    guard parts.count == 6, parts[0] == "arn", parts[1] == "aws" || parts[1].hasPrefix("aws-"),
      parts[2] == "cognito-identity", parts[4].isDigits(count: 12),
      let id = parts[5].rest(after: "identitypool/")
    else { return "is not arn:aws:cognito-identity:REGION:ACCOUNT:identitypool/POOL" }
    guard TextBounds.identityID.allows(id) else {
      return "has the malformed pool id \(id.quoted): it must be REGION:UUID"
    }
    return id.hasPrefix(parts[3] + ":") ? nil : "has a pool of another region than \(parts[3].quoted)"
  }
}

extension Statement {
  /// Returns true where the statement names a principal.
  func names(_ kind: AccessPrincipal.Kind, _ principal: String) -> Bool {
    principals?.entries.contains(.named(kind, principal)) ?? false
  }

  /// The first principal that no request to this service can have.
  fileprivate var firstOtherPrincipal: String? {
    principals?.entries.first {
      $0 != .named(.federated, TrustPolicy.identityProvider)
        && $0 != .named(.service, TrustContext.synchronization) && !$0.isSigner
    }?.text
  }
}

extension Condition {
  /// True where the condition restricts the identity's pool to listed pools.
  fileprivate var bindsPool: Bool {
    comparison == .stringEquals && quantifier != .allValues && name.text == TrustContext.audience
  }
}

extension PrincipalElement.Entry {
  /// True for an account, the user of access keys, a role or a session, which sign calls of `AssumeRole`.
  fileprivate var isSigner: Bool {
    switch self {
    case .account: true
    case .named(.aws, let name):
      [":role/", ":assumed-role/", ":user/developer"].contains { name.utf8.firstRange(of: $0.utf8) != nil }
    case .everyone, .named: false
    }
  }
}
