internal import TokenSecurityBase

/// The tables that a store was opened with, each with a number.
package struct TableSet: Sendable {
  package let layouts: [TableLayout]
  /// The layouts again, to be searched. They are few.
  private let ids: [ObjectIdentifier]

  /// Checks the declarations.
  package init(_ tables: [any DeclaredTable]) throws(RecordStoreError) {
    layouts = tables.map(\.layout)
    var names: Set<ExactString> = []
    for layout in layouts {
      try Self.check(layout.name, of: layout)
      guard names.insert(ExactString(layout.name)).inserted else {
        throw Self.refused(layout, "its name occurs twice")
      }
      guard layout.version >= 1, layout.version <= Int16.max,
        layout.oldest >= 1, layout.oldest <= layout.version
      else { throw Self.refused(layout, "versions are 1 to 32,767, the oldest one first") }
      var indexes: Set<ExactString> = []
      for index in layout.indexes {
        try Self.check(index.name, of: layout)
        guard indexes.insert(ExactString(index.name)).inserted else {
          throw Self.refused(layout, "the name of an index occurs twice")
        }
      }
    }
    ids = layouts.map { ObjectIdentifier($0) }
  }

  /// The number of a table.
  package func number(of layout: TableLayout) throws(RecordStoreError) -> Int {
    guard let number = ids.firstIndex(of: ObjectIdentifier(layout)) else {
      throw Self.refused(layout, "the store was opened without this declaration of it")
    }
    return number
  }

  private static func check(_ name: String, of layout: TableLayout) throws(RecordStoreError) {
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    // Databases have tables of their own under two prefixes.
    let isReserved = name.utf8.starts(with: "sqlite_".utf8) || name.utf8.starts(with: "pg_".utf8)
    guard isName, !isReserved, (1...24).contains(name.utf8.count) else {
      throw refused(layout, "a name has 1 to 24 lower-case letters, digits and underscores")
    }
  }

  private static func refused(_ layout: TableLayout, _ reason: String) -> RecordStoreError {
    .tableRefused(table: layout.name.quoted, reason: reason)
  }
}
