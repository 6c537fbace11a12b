internal import TokenSecurityBase

/// The operation that a request selects, with what its path, query and header fields have.
public struct OperationRoute: Sendable {
  /// The operation.
  public let operation: any ServiceOperation.Type
  /// Name, access and errors.
  public let declaration: OperationDeclaration
  /// The protocol.
  public let binding: ServiceBinding
  /// The name for metrics. No other operation of the router has it.
  public let metricLabel: String
  /// The labels, parameters and fields.
  let fields: FieldTree

  /// The value of a label of the path, decoded; nil for another name.
  ///
  /// - Parameter name: the label.
  /// - Returns: the value. It is not validated yet.
  public func label(_ name: String) -> String? {
    fields.child(name, of: FieldTree.labels).flatMap { fields.value($0) }
  }
}
