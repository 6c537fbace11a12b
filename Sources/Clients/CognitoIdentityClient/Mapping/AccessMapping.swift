package import SigV4

/// How the requests of an API are read as actions on resources.
package enum AccessMapping: Sendable, Hashable {
  /// An action for each method, and a resource with the path.
  case template(AccessTemplate)
  /// The form of Amazon API Gateway.
  case executeAPI(ExecuteAPIForm)
  /// The form of Amazon S3, with the bucket in the path.
  case s3

  /// The actions of a request. All of them must be allowed.
  ///
  /// - Parameter head: the verified request.
  /// - Returns: one or several actions.
  /// - Throws: `pathAmbiguous`, `queryAmbiguous`, `unmapped`.
  package func accesses(of head: RequestHead) throws(AccessMappingError) -> [RequestedAccess] {
    let path = try ResourcePath(head.path)
    switch self {
    case .template(let template): return [try template.access(of: head.method, path)]
    case .executeAPI(let form): return [try form.access(of: head.method, path)]
    case .s3: return try S3Form.accesses(of: head, path)
    }
  }
}

/// An action on a resource, with condition keys.
package struct RequestedAccess: Sendable {
  /// The action: `orders:Read`.
  package let action: String
  /// The resource's ARN, or `*`.
  package let resource: String
  /// Condition keys with their values.
  package let keys: [(key: String, value: [String])]

  init(_ action: String, on resource: String, keys: [(key: String, value: [String])] = []) {
    self.action = action
    self.resource = resource
    self.keys = keys
  }
}
