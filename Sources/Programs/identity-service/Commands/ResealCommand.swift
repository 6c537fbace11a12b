internal import ArgumentParser
internal import TokenSecurityBase

extension KeyCommand {
  /// Replaces the master key.
  struct Reseal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace the master key: all stored secrets are sealed with a new one.",
      discussion: """
        Stop the service first. Temporary credentials that it has issued are \
        refused afterwards: their session tokens were sealed with the old key. \
        Users of user pools keep their passwords, second factors and devices; they \
        sign in again, and codes that were sent are refused. \
        Copies made before keep the old key and the secrets: if they are not in \
        safe hands, replace the access keys and signing keys, too.

        EXAMPLES:
          A new master key:

            identity-service key reseal --data /var/lib/identity
        """)
    @OptionGroup var folder: FolderOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let data = try await DataFolder.open(try folder.path(), .exclusive)
      let count: Int
      do {
        count = try await MasterKeyReplacement.run(data)
      } catch {
        try? await data.close()
        throw error
      }
      try await data.close()
      try output.json
        ? StandardOutput.print([
          "masterKey": .string(data.paths.masterKey), "secrets": .number(JSONNumber(count)),
        ])
        : StandardOutput.print("\(data.paths.masterKey) is new; it seals \(count) secrets\n")
    }
  }
}
