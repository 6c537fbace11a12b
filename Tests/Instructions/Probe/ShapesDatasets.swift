internal import CognitoSyncClient
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

extension Shape {
  /// Push messages, and the rows of a client's file.
  static func datasets() -> [Shape] {
    let keys = """
      "source":"cognito-sync","identityPoolId":"us-east-1:1","identityId":"us-east-1:2","datasetName":"d","syncCount":"7"
      """
    return [
      // A message has at most 8,192 bytes.
      Shape("push-message-keys", from: 1_900) { size in
        let text = "{" + filled(size, separator: ",") { "\"\\u006d\($0)\":0" } + "," + keys + "}"
        return { _ = try PushSyncMessage(Array(text.utf8), from: .gcm) }
      },
      Shape("push-message-nested", from: 1_900) { size in
        let text =
          "{\"aps\":[" + filled(size, separator: ",") { "{\"a\":[\($0)]}" } + "],\"data\":{" + keys + "}}"
        return { _ = try PushSyncMessage(Array(text.utf8), from: .apns) }
      },
      Shape("dataset-row", from: 65_536) { size in
        let value = String(repeating: "\u{1}\n", count: size / 2)
        let record = DatasetRecord(
          key: "key", value: value, syncCount: 7, deviceLastModified: .now, isModified: true)
        let row = DatasetCoding.bytes(record, in: DatasetID(identityID: "us-east-1:2", name: "settings"))
        return { guard DatasetCoding.record(row) != nil else { throw ProbeError("the row cannot be read") } }
      },
    ]
  }
}
