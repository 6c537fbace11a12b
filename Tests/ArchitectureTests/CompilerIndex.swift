internal import CTokenSecurityIndexStore
internal import Foundation
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Definitions and references in the sources of this package, as the compiler has recorded them in its index when it built
/// the tests.
struct CompilerIndex {
  struct Reference {
    /// The path below the root folder.
    let file: String
    let line: UInt32
    /// The name that the compiler gives the declaration, the same in all files.
    let usr: String
    /// The name as it is written.
    let name: String
  }

  /// The file of each declaration by its name in the compiler.
  private(set) var definitions: [String: String] = [:]
  private(set) var references: [Reference] = []

  /// The index of the build that these tests are part of.
  static let ofThisBuild = Task {
    let compiler = try await Program.run(["sh", "-c", "readlink -f \"$(command -v swiftc)\""]).text
    let library = URL(filePath: compiler.trimmingCharacters(in: .whitespacesAndNewlines))
      .deletingLastPathComponent().appending(path: "../lib/libIndexStore.so").standardizedFileURL.path()
    let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    return try CompilerIndex(
      library, store: products.appending(path: "index/store").path(),
      root: URL(filePath: VectorFile.root, directoryHint: .isDirectory).standardizedFileURL.path())
  }

  /// Reads the records of the files below `root` that are still there.
  init(_ library: String, store path: String, root: String) throws {
    let library = try IndexLibrary(library)
    guard let store = unsafe library.storeCreate(path, nil) else {
      throw VectorFileError("there is no index at \(path)")
    }
    var records: [String: String] = [:]
    for unit in unsafe library.units(of: store) {
      guard let reader = unsafe library.unitCreate(store, unit, nil) else { continue }
      defer { unsafe library.unitDispose(reader) }
      let file = unsafe IndexLibrary.text(library.mainFile(reader))
      guard file.hasPrefix(root), FileManager.default.fileExists(atPath: file) else { continue }
      for dependency in unsafe library.items(
        of: reader, library.dependencies,
        { item in
          unsafe library.dependencyKind(item) == index_dependency_record
            ? (
              IndexLibrary.text(library.dependencyPath(item)), IndexLibrary.text(library.dependencyName(item))
            ) : nil
        }) where dependency.0 == file
      {
        // A unit names the record of its file's last build.
        records[dependency.1] = String(file.dropFirst(root.count))
      }
    }
    for (record, file) in records {
      guard let reader = unsafe library.recordCreate(store, record, nil) else { continue }
      defer { unsafe library.recordDispose(reader) }
      for (usr, name, roles, line) in unsafe library.items(
        of: reader, library.occurrences,
        { item in
          let symbol = unsafe library.symbol(item)
          var (line, column): (UInt32, UInt32) = (0, 0)
          unsafe library.line(item, &line, &column)
          return unsafe (
            IndexLibrary.text(library.usr(symbol)), IndexLibrary.text(library.name(symbol)),
            library.roles(item), line
          )
        })
      {
        if roles & index_role_definition != 0 {
          definitions[usr] = file
        } else if roles & index_role_reference != 0 {
          references.append(Reference(file: file, line: line, usr: usr, name: name))
        }
      }
    }
  }
}

/// The functions of libIndexStore.
@safe private struct IndexLibrary {
  let storeCreate: index_store_create
  let storeUnits: index_store_units
  let unitCreate: index_reader_create
  let unitDispose: index_dispose
  let mainFile: index_get_text
  let dependencies: index_apply
  let dependencyKind: index_get_kind
  let dependencyName: index_get_text
  let dependencyPath: index_get_text
  let recordCreate: index_reader_create
  let recordDispose: index_dispose
  let occurrences: index_apply
  let symbol: index_get_item
  let roles: index_get_roles
  let line: index_get_line
  let usr: index_get_text
  let name: index_get_text

  init(_ path: String) throws {
    guard let library = unsafe dlopen(path, RTLD_NOW) else {
      throw VectorFileError("\(path) cannot be loaded")
    }
    func function<T>(_ name: String, _: T.Type = T.self) throws -> T {
      guard let address = unsafe dlsym(library, "indexstore_\(name)") else {
        throw VectorFileError("\(path) has no function indexstore_\(name)")
      }
      return unsafe unsafeBitCast(address, to: T.self)
    }
    unsafe storeCreate = try function("store_create")
    unsafe storeUnits = try function("store_units_apply_f")
    unsafe unitCreate = try function("unit_reader_create")
    unsafe unitDispose = try function("unit_reader_dispose")
    unsafe mainFile = try function("unit_reader_get_main_file")
    unsafe dependencies = try function("unit_reader_dependencies_apply_f")
    unsafe dependencyKind = try function("unit_dependency_get_kind")
    unsafe dependencyName = try function("unit_dependency_get_name")
    unsafe dependencyPath = try function("unit_dependency_get_filepath")
    unsafe recordCreate = try function("record_reader_create")
    unsafe recordDispose = try function("record_reader_dispose")
    unsafe occurrences = try function("record_reader_occurrences_apply_f")
    unsafe symbol = try function("occurrence_get_symbol")
    unsafe roles = try function("occurrence_get_roles")
    unsafe line = try function("occurrence_get_line_col")
    unsafe usr = try function("symbol_get_usr")
    unsafe name = try function("symbol_get_name")
  }

  static func text(_ text: index_text) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: text.data, count: text.length), as: UTF8.self)
  }

  /// The names of all units.
  func units(of store: UnsafeMutableRawPointer) -> [String] {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { names in
      _ = unsafe storeUnits(store, 0, names) { names, name in
        unsafe names?.assumingMemoryBound(to: [String].self).pointee.append(IndexLibrary.text(name))
        return true
      }
    }
    return names
  }

  /// The results of `read` for each item of a reader.
  func items<Item>(
    of reader: UnsafeMutableRawPointer, _ apply: index_apply,
    _ read: (UnsafeMutableRawPointer) -> Item?
  ) -> [Item] {
    var items: [Item] = []
    unsafe withoutActuallyEscaping(read) { read in
      var append = { (item: UnsafeMutableRawPointer) in
        if let item = unsafe read(item) { items.append(item) }
      }
      unsafe withUnsafeMutablePointer(to: &append) { append in
        _ = unsafe apply(reader, append) { context, item in
          guard let context = unsafe context, let item = unsafe item else { return false }
          unsafe context.assumingMemoryBound(to: ((UnsafeMutableRawPointer) -> Void).self).pointee(item)
          return true
        }
      }
    }
    return items
  }
}
