import CognitoSyncClient
import ServiceOperations
import TokenSecurityBase

/// Push messages of each platform, and the rows of a client's file. The first byte selects what is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
  switch start[0] % 7 {
  case 0: checkMessage(bytes, .apns)
  case 1: checkMessage(bytes, .apnsSandbox)
  case 2: checkMessage(bytes, .gcm)
  case 3: checkMessage(bytes, .adm)
  case 4:
    guard let dataset = DatasetCoding.dataset(bytes) else { return 0 }
    precondition(DatasetCoding.dataset(DatasetCoding.bytes(dataset)) == dataset)
  case 5:
    guard let row = DatasetCoding.record(bytes) else { return 0 }
    let again = DatasetCoding.record(DatasetCoding.bytes(row.record, in: row.id))
    precondition(again?.id == row.id && again?.record == row.record)
  default:
    guard let registration = DatasetCoding.registration(bytes) else { return 0 }
    precondition(DatasetCoding.registration(DatasetCoding.bytes(registration)) == registration)
  }
  return 0
}

private func checkMessage(_ bytes: [UInt8], _ platform: PushPlatform) {
  do throws(SyncClientError) {
    let message = try PushSyncMessage(bytes, from: platform)
    precondition(bytes.count <= PushSyncMessage.sizeLimit && message.syncCount >= 0)
    // The same keys and texts are the same message, however they came.
    let again = try? PushSyncMessage(fields: [
      "source": message.source, "identityPoolId": message.identityPoolID, "identityId": message.identityID,
      "datasetName": message.datasetName, "syncCount": "\(message.syncCount)",
    ])
    precondition(again == message)
    let position = DatasetPosition(
      identityPoolID: message.identityPoolID, identityID: message.identityID,
      datasetName: message.datasetName, lastSyncCount: message.syncCount)
    precondition(!message.shouldSynchronize(against: position))
  } catch {
    guard case .messageInvalid = error else { preconditionFailure("another error: \(error)") }
    precondition(error.codeText == "sync_client_message_invalid" && error.description.utf8.count < 4_096)
  }
}
