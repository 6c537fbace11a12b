internal import AccessPolicies
@testable internal import CognitoIdentity
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

@testable internal import identity_service

/// The policies that allow what kinds of calls allow.
@Suite struct KindPolicyTests {
  /// Each operation of each service is allowed by the policy of its kind, and by no other one.
  @Test func allowsWhatItsKindAllows() throws {
    var policies: [OperationAccess.Capability: AccessPolicy] = [:]
    for kind in OperationAccess.Capability.allCases {
      policies[kind] = try AccessPolicy(
        json: kind.policyDocument.description, name: kind.name, kind: .identity)
    }
    var counts: [OperationAccess.Capability: Int] = [:]
    for service in [identityPools, dataSets, userPools, securityTokenService] {
      for operation in service.operations.map({ $0.declaration }) {
        let request = AccessRequest(
          principal: .aws("arn:aws:iam::123456789012:user/developer"),
          action: "\(service.signingName.text):\(operation.name.text)", resource: "*")
        for kind in OperationAccess.Capability.allCases {
          var isAllowed = false
          if case .signed(let signature) = operation.access {
            isAllowed = signature.developer == kind && !signature.hasOwnRules
          }
          // It checks the kind itself.
          if operation.name == "AssumeRole" { isAllowed = kind == .issuing }
          #expect(
            PolicySet(identity: [try #require(policies[kind])]).decide(request).isAllowed == isAllowed,
            "\(request.action) \(kind.name)")
          if isAllowed { counts[kind, default: 0] += 1 }
        }
      }
    }
    #expect(counts.values.allSatisfy { $0 > 3 } && counts.count == 3, "\(counts)")
  }
}
