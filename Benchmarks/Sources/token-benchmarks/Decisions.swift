import AccessPolicies
import Foundation

/// A decision of access policies over ten statements, beside the verification of the signed request that it follows.
struct Decisions {
  /// The policy, which moto and principalmapper read as well: two statements decide, the others are compared.
  static let policy = """
    {"Version": "2012-10-17", "Statement": [
      {"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetBucketLocation"], "Resource": "arn:aws:s3:::files"},
      {"Effect": "Allow", "Action": "s3:PutObject", "Resource": "arn:aws:s3:::files/uploads/*"},
      {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "arn:aws:sqs:eu-west-1:123456789012:jobs"},
      {"Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Query"], "Resource": "arn:aws:dynamodb:eu-west-1:123456789012:table/*"},
      {"Effect": "Allow", "Action": "sns:Publish", "Resource": "arn:aws:sns:eu-west-1:123456789012:news"},
      {"Effect": "Allow", "Action": "logs:*", "Resource": "*"},
      {"Effect": "Allow", "Action": "s3:Get*", "Resource": "arn:aws:s3:::archive/*"},
      {"Effect": "Deny", "Action": "s3:*", "Resource": "arn:aws:s3:::files/secret/*"},
      {"Effect": "Deny", "Action": "s3:Delete*", "Resource": "*"},
      {"Effect": "Allow", "Action": "s3:Get*", "Resource": "arn:aws:s3:::files/users/*"}
    ]}
    """
  static let principal = "arn:aws:iam::123456789012:user/jane"
  static let action = "s3:GetObject"
  static let resource = "arn:aws:s3:::files/users/jane/letter.txt"

  /// What the peers in Python read.
  static var material: [String: String] {
    ["policy": policy, "action": action, "resource": resource]
  }

  static func contenders() throws -> [Contender] {
    let name = "verifying, both steps"
    guard let verification = try Requests().contenders().first(where: { $0.name == name }) else {
      fatalError("no contender \(name)")
    }
    let policies = PolicySet(identity: [
      try AccessPolicy(json: policy, name: "ten", kind: .identity)
    ])
    func request() -> AccessRequest {
      AccessRequest(principal: .aws(principal), action: action, resource: resource)
    }
    let prepared = request()
    return [
      Contender(name: "verifying a signed request, both steps", run: verification.run),
      try SessionRequests.contender(),
      Contender(name: "a decision over ten statements") { count in
        for _ in 0..<count where !policies.decide(prepared).isAllowed { return false }
        return true
      },
      Contender(name: "the same, with the request made of its texts") { count in
        for _ in 0..<count where !policies.decide(request()).isAllowed { return false }
        return true
      },
      Contender(name: "reading the policy") { count in
        for _ in 0..<count { _ = try AccessPolicy(json: policy, name: "ten", kind: .identity) }
        return true
      },
    ]
  }
}
