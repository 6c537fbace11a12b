import CognitoSync
import TokenSecurityCrypto

/// Tokens of pages and of synchronisations, rows of all tables, and settings for push messages. The first byte selects
/// the parser.
private let datasetID = "00000000-0000-4000-8000-000000000000"
private let key = DatasetKey(
  IdentityKey(poolID: "us-east-1:0", identityID: "us-east-1:1"), name: "notes")
private let secrets: SyncSecrets? = try? SyncSecrets(
  master: SecretBytes([UInt8](repeating: 1, count: 32).span))

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
  let text = String(decoding: bytes, as: UTF8.self)
  do throws(SyncError) {
    switch start[0] % 5 {
    case 0:
      if let name = try PageToken.dataset(text) {
        precondition(PageToken.token(afterDataset: name).utf8.elementsEqual(text.utf8))
      }
    case 1:
      if let position = try PageToken.record(text, in: datasetID) {
        precondition(position.key.starts(with: RecordKey(datasetID)))
        precondition(position.value.starts(with: RecordKey(datasetID)))
      }
    case 2:
      guard let secrets else { return 0 }
      try secrets.check(text, for: key, at: .now)
      preconditionFailure("a token that the service did not make")
    case 3:
      readRecord(bytes)
      readRow(bytes, StoredDataset.encoding)
      readRow(bytes, RemovedDataset.encoding)
      readRow(bytes, DatasetFloor.encoding)
      readRow(bytes, SyncDevice.encoding)
      readRow(bytes, SyncSubscription.encoding)
      readRow(bytes, PushConfiguration.encoding)
      readRow(bytes, EndpointRow.encoding)
      readRow(bytes, RemovedPoolRole.encoding)
    default:
      let settings = PushSettings {
        $0.applicationARNs = text.split(separator: "\n").map(String.init)
        $0.roleARN = "arn:aws:iam::123456789012:role/push"
      }
      guard let configuration = try PushConfiguration(settings, poolID: "us-east-1:0") else { return 0 }
      precondition(configuration.applicationARNs.count <= PushPlatform.allCases.count)
    }
  } catch {
    precondition(!error.codeText.isEmpty && error.description.utf8.count < 4_096 && error.status == 400)
  }
  return 0
}

/// A record that is read is written and read again.
private func readRecord(_ bytes: [UInt8]) {
  guard let row = StoredRecord.encoding.decode(bytes, 1) else { return }
  guard let written = StoredRecord.encoding.encode(row, 1),
    let again = StoredRecord.encoding.decode(written, 1)
  else { preconditionFailure("a record that cannot be written") }
  precondition(again.key.utf8.elementsEqual(row.key.utf8) && again.count == row.count)
  precondition((again.value == nil) == (row.value == nil))
  precondition((again.value ?? "").utf8.elementsEqual((row.value ?? "").utf8))
  precondition(StoredRecord.encoding.encode(again, 1) == written)
}

/// A row that is read is written, and read and written again the same.
private func readRow<Row: Sendable>(_ bytes: [UInt8], _ encoding: RowEncoding<Row>) {
  guard let row = encoding.decode(bytes, 1) else { return }
  guard let written = encoding.encode(row, 1), let again = encoding.decode(written, 1) else {
    preconditionFailure("a row that cannot be written")
  }
  precondition(encoding.encode(again, 1) == written)
}
