internal import TokenSecurityBase

/// The statements of a policy, shared by all copies of it: a decision counts one reference in place of those of six lists.
final class SharedStatements: Sendable {
  let table: StatementTable

  init(_ statements: [Statement]) { table = StatementTable(statements) }
}

/// The statements of a policy, and what a decision compares of each as numbers: most do not name the action, and nothing else of
/// them is looked at.
struct StatementTable: Sendable {
  let statements: [Statement]
  private let rows: [Row]
  /// The patterns of all actions and resources.
  private let texts: PreparedTexts

  private struct Row: Sendable {
    var isAllow: Bool
    var isNotAction: Bool
    var isNotResource = false
    var hasResources = false
    var hasPrincipals: Bool
    var hasConditions: Bool
    /// The patterns of the actions, which those of the resources follow.
    var actions: Int
    var resources: Int
    var end: Int
  }

  init(_ statements: [Statement]) {
    var rows: [Row] = []
    var texts = PreparedTexts()
    for statement in statements {
      var row = Row(
        isAllow: statement.isAllow, isNotAction: statement.actions.isNegated,
        hasPrincipals: statement.principals != nil, hasConditions: !statement.conditions.isEmpty,
        actions: texts.count, resources: 0, end: 0)
      for text in statement.actions.texts {
        texts.append(Statement.ActionElement.symbols(text), .pattern(.ordinary))
      }
      row.resources = texts.count
      if let resources = statement.resources {
        row.hasResources = true
        row.isNotResource = resources.isNegated
        for text in resources.texts { texts.append(text, .pattern(.ofResource)) }
      }
      row.end = texts.count
      rows.append(row)
    }
    self.statements = statements
    self.rows = rows
    self.texts = texts
  }

  /// The number of statements.
  var count: Int { rows.count }

  /// The `Sid` of a statement.
  func sid(_ index: Int) -> String? { statements.span[index].sid }

  /// The first statement from an index on that names the action of a request, and denies if only such ones are looked for; nil if
  /// there is none.
  @inline(__always)
  func firstNaming(
    _ action: borrowing Span<UInt8>, of request: AccessRequest, from first: Int, denying: Bool
  ) -> Int? {
    let rows = rows.span
    var index = first
    while index < rows.count {
      let row = rows[index]
      if !(denying && row.isAllow), names(row, action, request) { return index }
      index &+= 1
    }
    return nil
  }

  @inline(__always)
  private func names(_ row: Row, _ action: borrowing Span<UInt8>, _ request: AccessRequest) -> Bool {
    texts.contains(action, row.actions, row.resources, in: request.context) != row.isNotAction
  }

  /// True if a statement allows.
  func isAllow(_ index: Int) -> Bool { rows[index].isAllow }

  /// Compares the elements of a statement except its conditions.
  func match(_ index: Int, _ request: AccessRequest, hasBoundary: Bool) -> Statement.Match {
    guard names(rows[index], request.foldedAction.span, request) else { return .fails(.action) }
    return matchRest(index, request, request.resource.utf8.span, hasBoundary: hasBoundary)
  }

  /// The same for a statement that names the action, with the resource's bytes.
  private func matchRest(
    _ index: Int, _ request: AccessRequest, _ resource: borrowing Span<UInt8>, hasBoundary: Bool
  ) -> Statement.Match {
    let row = rows[index]
    var grant = PrincipalElement.Grant.direct
    if row.hasPrincipals, let principals = statements[index].principals {
      guard let found = principals.grant(request.principal, hasBoundary: hasBoundary) else {
        return .fails(.principal)
      }
      grant = found
    }
    guard
      !row.hasResources
        || texts.contains(resource, row.resources, row.end, in: request.context) != row.isNotResource
    else { return .fails(.resource) }
    return .fits(grant)
  }

  /// How a statement that names the action names the caller; nil for one that does not apply.
  func grant(
    _ index: Int, _ request: AccessRequest, _ resource: borrowing Span<UInt8>, hasBoundary: Bool
  ) -> PrincipalElement.Grant? {
    guard case .fits(let grant) = matchRest(index, request, resource, hasBoundary: hasBoundary),
      !rows[index].hasConditions || statements.span[index].isMet(request.context)
    else { return nil }
    return grant
  }
}
