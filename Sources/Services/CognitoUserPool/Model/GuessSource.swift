package import Records
internal import TokenLifetime

/// An address from which codes of a user, or of an unknown name, were entered.
package struct GuessSource: StoredFields, Hashable {
  /// The beginning of a keyed digest of the address.
  package var id: [UInt8] = []
  /// Wrong codes of the present day.
  package var count: Int64 = 0
  package var last = Timestamp(seconds: 0)
  /// When the last right code came from there.
  package var known: Timestamp?

  package init() {}

  package mutating func fields(_ f: inout RowFields) {
    f.bytes("id", &id)
    f.number("count", &count)
    f.time("last", &last)
    f.optional("known", &known)
  }
}
