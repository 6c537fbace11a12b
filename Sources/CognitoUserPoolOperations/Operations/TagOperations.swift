// Operations on tags of pools.

let tagOperations: [any ServiceOperation.Type] = [
  TagResource.self, UntagResource.self, ListTagsForResource.self,
]

/// Adds or replaces tags of a pool.
public enum TagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "TagResource", .developer(.administering, .resource("ResourceArn")), "Adds or replaces tags of a pool.",
    errors: .usual, changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// The ARN of the pool.
    public var resourceARN = ""
    /// The tags.
    public var tags: [ExactString: String] = [:]

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
      m.required("Tags", &tags, .tags)
    }
  }
}

/// Removes tags of a pool.
public enum UntagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UntagResource", .developer(.administering, .resource("ResourceArn")), "Removes tags of a pool.",
    errors: .usual, changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// The ARN of the pool.
    public var resourceARN = ""
    /// The keys.
    public var tagKeys: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
      m.required("TagKeys", &tagKeys, .init(of: .tagKey))
    }
  }
}

/// Returns the tags of a pool.
public enum ListTagsForResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListTagsForResource", .developer(.reading, .resource("ResourceArn")), "Returns the tags of a pool.",
    errors: .usual)

  /// The request.
  public struct Input: Structure {
    /// The ARN of the pool.
    public var resourceARN = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The tags.
    public var tags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Tags", &tags, .tags)
    }
  }
}
