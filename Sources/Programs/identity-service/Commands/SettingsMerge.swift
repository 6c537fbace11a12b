internal import ServiceOperations
internal import TokenSecurityBase

// Settings that a command changes: operations replace all of them.

extension JSONObject {
  /// The members that an operation's input has.
  func members(of operation: any ServiceOperation.Type) -> JSONObject {
    var kept = JSONObject()
    for name in OperationSchema(operation).input.map(\.name.text) { kept[name] = self[name] }
    return kept
  }

  /// Applies a JSON merge patch (RFC 7396): null removes a member.
  mutating func merge(_ patch: JSONObject) {
    for member in patch.members {
      switch member.value {
      case .null: self[member.name] = nil
      case .object(let inner):
        var own = self[member.name]?.object ?? JSONObject()
        own.merge(inner)
        self[member.name] = .object(own)
      default: self[member.name] = member.value
      }
    }
  }

  /// The members that differ in another object: their paths, and both values.
  func changes(to other: JSONObject) -> [SettingChange] {
    let added = other.names.filter { self[$0] == nil }
    return (names + added).flatMap { name -> [SettingChange] in
      switch (self[name], other[name]) {
      case (.object(let old)?, .object(let new)?):
        return old.changes(to: new).map { change in
          SettingChange(path: "\(name).\(change.path)", old: change.old, new: change.new)
        }
      case (let old, let new): return old == new ? [] : [SettingChange(path: name, old: old, new: new)]
      }
    }
  }

  /// Prints the members, one in a line. Empty objects are left out.
  func printRows() throws {
    for member in members {
      let value = SettingChange.text(member.value)
      guard !value.utf8.elementsEqual("{}".utf8) else { continue }
      try StandardOutput.print("\(member.name.visible(upTo: 128).padded(to: 31)) \(value)\n")
    }
  }

  /// Prints the object as the output options say.
  func printShown(_ output: OutputOptions) throws {
    try output.json ? StandardOutput.print(self) : printRows()
  }

  /// Prints what an operation made: its id, and its secret if it has one.
  func printMade(id: String, secret: String? = nil, _ output: OutputOptions) throws {
    guard !output.json else { return try StandardOutput.print(self) }
    let texts = [self[id]?.string, secret.flatMap { self[$0]?.string }].compactMap { $0 }
    try StandardOutput.print(texts.joined(separator: " ") + "\n")
  }
}

extension [JSONValue] {
  /// Prints a list: with `--json` as an object with one member, otherwise a line for each thing.
  func printList(_ member: String, _ output: OutputOptions, _ line: (JSONObject) -> String) throws {
    guard !output.json else { return try StandardOutput.print([member: .array(self)]) }
    for thing in compactMap(\.object) { try StandardOutput.print(line(thing) + "\n") }
  }
}

/// A setting that a command changed.
struct SettingChange {
  let path: String
  let old: JSONValue?
  let new: JSONValue?

  /// A value in a line.
  static func text(_ value: JSONValue?) -> String {
    guard let value else { return "none" }
    return value.string?.visible(upTo: 2_048) ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
  }

  /// Prints changes of a thing: each in a line.
  static func print(_ changes: [SettingChange], of id: String) throws {
    guard !changes.isEmpty else {
      return try StandardOutput.print("\(id.visible(upTo: 256)) has these settings already\n")
    }
    for change in changes {
      let path = change.path.visible(upTo: 512)
      try StandardOutput.print(
        change.old == change.new
          ? "\(path) stays \(text(change.new))\n"
          : "\(path): \(text(change.old)) -> \(text(change.new))\n")
    }
  }

  /// The changes that were made, and those that were wanted and made no difference: a setting may have a default that
  /// cannot be removed.
  static func made(_ wanted: [SettingChange], _ old: JSONObject, _ new: JSONObject) -> [SettingChange] {
    let changes = old.changes(to: new)
    let ineffective = wanted.filter { change in
      !changes.contains { $0.path.hasPrefix(change.path) || change.path.hasPrefix($0.path) }
    }
    return changes + ineffective.map { SettingChange(path: $0.path, old: $0.old, new: $0.old) }
  }
}
