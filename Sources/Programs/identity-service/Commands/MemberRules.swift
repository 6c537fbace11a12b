internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// The rules of members in the words of people who type them, with an example.
enum MemberRules {
  /// The rules by the names of members.
  private static let rules: [ExactString: String] = [
    "userpoolid": "it must be the id of a user pool, for instance us-east-1_abcdefghi",
    "clientid": "it must be the id of an app client, 1 to 128 letters and digits",
    "username": "it must be 1 to 128 characters without spaces, for instance jane or jane@example.com",
    "groupname": "it must be 1 to 128 characters without spaces, for instance editors",
    "poolname": "it must be 1 to 128 letters, digits, spaces and +=,.@-, for instance app",
    "clientname": "it must be 1 to 128 letters, digits, spaces and +=,.@-, for instance web",
    "identitypoolid":
      "it must be the id of an identity pool, for instance us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53",
    "identityid": "it must be an identity's id, for instance us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53",
    "identitypoolname": "it must be 1 to 128 letters, digits, spaces and +=,.@-, for instance app",
    "developerprovidername": "it must be 1 to 128 letters, digits and ._-, for instance login.my.app",
    "rolearn": "it must be the ARN of a role, for instance arn:aws:iam::123456789012:role/app",
    "roles": "it must be the ARN of a role, for instance arn:aws:iam::123456789012:role/app",
    "applicationarns":
      "it must be the ARN of a platform application, for instance arn:aws:sns:us-east-1:123456789012:app/GCM/notes",
    "openidconnectproviderarns":
      "it must be the ARN of an OpenID provider, for instance arn:aws:iam::123456789012:oidc-provider/op.example",
    "cognitoidentityproviders":
      "it must be cognito-idp.REGION.amazonaws.com/POOL=CLIENT, for instance cognito-idp.us-east-1.amazonaws.com/us-east-1_abcdefghi=1example23456789",
    "supportedloginproviders": "it must be PROVIDER=CLIENT, for instance accounts.google.com=app",
    "userattributes": "it must be NAME=VALUE with a name of 1 to 32 characters, for instance given_name=Jane",
    "the policy's name": "it must be 1 to 128 letters, digits and +=,.@-_, for instance limits",
    "the identity's id":
      "it must be an identity's id, for instance us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53",
    "the role's arn": "it must be the ARN of a role, for instance arn:aws:iam::123456789012:role/app",
    "minimumlength": "it must be from 6 to 99",
    "precedence": "it must be 0 or more",
    "tokenduration": "it must be from 1 to 86400 seconds",
  ]

  /// The rule that a violation is of: that of the last name in its path that has one, or the service's.
  static func rule(of violation: Violation) -> String {
    for name in violation.path.lowercasedASCII.parts(at: ".").reversed() {
      if let rule = rules[ExactString(name)] { return rule }
    }
    return constraint(of: violation)
  }

  /// The service's own words.
  static func constraint(of violation: Violation) -> String {
    let subject = "Member "
    guard violation.constraint.utf8.starts(with: subject.utf8) else { return violation.constraint }
    return "it " + String(Substring(violation.constraint.utf8.dropFirst(subject.utf8.count)))
  }

  /// The member that an error of user pools is about, and what it breaks; nil for other errors, and for those that name the
  /// value themselves.
  static func member(of error: UserPoolError) -> (name: String, rule: String)? {
    switch error {
    case .userUnknown: ("Username", "the pool has no user of this name")
    case .userExists: ("Username", "the pool has a user of this name already")
    case .userNameRefused: ("Username", "\(error)")
    case .groupUnknown: ("GroupName", "the pool has no group of this name")
    case .groupExists: ("GroupName", "the pool has a group of this name already")
    case .addressMalformed(let attribute):
      ("UserAttributes.\(attribute)", "it must be an address of this kind")
    case .attributesRefused: ("UserAttributes", "\(error)")
    case .addressUnusable(let rule): ("DesiredDeliveryMediums", rule)
    case .passwordRefused, .passwordUsedBefore: ("Password", "\(error)")
    case .filterInvalid: ("Filter", "it must be NAME = \"VALUE\" or NAME ^= \"BEGINNING\"")
    case .attributeNotSearchable: ("Filter", "users cannot be searched by this attribute")
    default: nil
    }
  }
}
