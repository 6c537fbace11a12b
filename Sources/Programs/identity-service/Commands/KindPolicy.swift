internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

extension OperationAccess.Capability {
  /// The policy that allows what this kind of calls allows an access key, as JSON.
  ///
  /// Policies of keys do not change with the program; a kind includes operations that a later version adds.
  var policyDocument: JSONValue {
    var actions: [JSONValue] = []
    for service in [identityPools, dataSets, userPools] {
      for operation in service.operations.map({ $0.declaration }) {
        guard case .signed(let signature) = operation.access, signature.developer == self,
          !signature.hasOwnRules
        else { continue }
        actions.append(.string("\(service.signingName.text):\(operation.name.text)"))
      }
    }
    if self == .issuing { actions += ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"] }
    return [
      "Version": "2012-10-17",
      "Statement": [["Effect": "Allow", "Action": .array(actions), "Resource": "*"]],
    ]
  }
}
