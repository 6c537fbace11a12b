/// A user who was removed while other rows were left.
package struct RemovedUser: Sendable, Hashable {
  package var poolID = ""
  package var sub = ""

  package init() {}
}

extension RemovedUser: StoredFields {
  mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("sub", &sub)
  }
}
