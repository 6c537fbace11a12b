internal import CognitoIdentity
internal import RecordsSQLite
internal import TokenSecurityPlatform

/// The access key of the first start.
///
/// Its secret is printed on a terminal. Otherwise standard output may be a log, so that the secret is written
/// to a file that only this user can read.
struct FirstAccessKey: ~Copyable {
  let key: AccessKeyText
  /// The file with the secret; nil where the secret is printed.
  let file: String?

  /// Makes the key if the service has none. Several nodes on a database have no first start: `key create` makes
  /// their first key.
  ///
  /// - Throws: `RecordStoreError` if the file cannot be written. No key is stored then.
  static func make(for service: IdentityPoolService, in data: ServiceData) async throws -> FirstAccessKey? {
    guard case .folder(let folder) = data else { return nil }
    let isFirst = try await service.store.read { rows throws(IdentityError) in try rows.accessKeys().isEmpty }
    guard isFirst else { return nil }
    let key = AccessKeyText(try IdentityPoolService.makeAccessKey())
    guard !StandardOutput.isTerminal else {
      try await key.add(to: service)
      return FirstAccessKey(key: key, file: nil)
    }
    let file = folder.paths.firstAccessKey
    // The file comes first: a start that ends in between has stored no key, and the next one makes another.
    _ = unsafe unlink(file)
    PrivateFiles.removeDrafts(of: file)
    let draft = try PrivateFiles.makeDraft(of: file) { key.write(.exports(indent: 0), to: $0) }
    // Of two first starts at once, one fails: its key would be in no file.
    try PrivateFiles.publish(draft, at: file, isShared: false)
    // After an error the key may be stored all the same, so that the file stays.
    try await key.add(to: service)
    return FirstAccessKey(key: key, file: file)
  }

  /// Removes the key after a failure to show it.
  borrowing func remove(from service: IdentityPoolService) async throws {
    if let file { _ = unsafe unlink(file) }
    try await Self.remove(key.id, service)
  }

  private static func remove(_ id: String, _ service: IdentityPoolService) async throws {
    try await service.store.write { rows throws(IdentityError) in try rows.removeAccessKey(id) }
  }

  /// Writes what the operator does with the key. Returns false on failure.
  borrowing func print(before end: String) -> Bool {
    guard let file else {
      return key.print(
        .exports(indent: 2),
        after: "\nA developer's access key with all rights. Its secret is shown only once:\n\n",
        before: end)
    }
    return StandardOutput.write(
      """

      A developer's access key with all rights is in a file. Read it and remove it:

        . \(ShellWord.text(file)) && rm \(ShellWord.text(file))

      """ + end)
  }
}
