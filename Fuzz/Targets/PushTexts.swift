import CognitoSync
import TokenSecurityBase

/// Texts that the sender of push messages reads and writes: rows of the outboxes, ARNs, a message of SNS, and the texts
/// of messages. The first byte selects the operation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
  let text = String(decoding: bytes, as: UTF8.self)
  switch start[0] % 5 {
  case 0:
    guard let row = PushRow.encoding.decode(bytes, 1) else { return 0 }
    guard let written = PushRow.encoding.encode(row, 1), let again = PushRow.encoding.decode(written, 1)
    else {
      preconditionFailure("a row that cannot be written")
    }
    precondition(again == row && PushRow.encoding.encode(again, 1) == written)
  case 1:
    if let platform = PushApplication.platform(ofARN: text) {
      precondition(PushApplication.application(for: platform, in: [text]) != nil)
    }
    if let region = PushApplication.region(ofARN: text) {
      precondition(!region.utf8.contains(UInt8(ascii: ":")))
    }
  case 2:
    if let endpoint = SNSPushSender.existing("InvalidParameter", text) {
      precondition(endpoint.utf8.starts(with: "arn:".utf8) && endpoint.utf8.count < text.utf8.count)
    }
    precondition(SNSPushSender.existing("NotFound", text) == nil)
  case 3:
    guard let row = EndpointRow.encoding.decode(bytes, 1) else { return 0 }
    guard let written = EndpointRow.encoding.encode(row, 1),
      let again = EndpointRow.encoding.decode(written, 1)
    else { preconditionFailure("an endpoint that cannot be written") }
    precondition(again == row && EndpointRow.encoding.encode(again, 1) == written)
  default:
    for platform in PushPlatform.allCases { checkMessage(text, platform) }
  }
  return 0
}

/// A message is JSON whose texts are JSON again, with what it was made of.
private func checkMessage(_ text: String, _ platform: PushPlatform) {
  let message = PushMessage(
    poolID: text, identityID: text, datasetName: text, syncCount: .max, deviceID: text, platform: platform,
    endpoint: text, applicationARN: text, roleARN: text)
  let texts = (try? JSONValue(parsing: message.notification, limits: JSONLimits(size: 8 << 20)))?.object
  guard let inner = texts?[platform.name]?.string,
    let data = (try? JSONValue(parsing: inner, limits: JSONLimits(size: 8 << 20)))?.object?["data"]?.object
  else { preconditionFailure("a message that is not JSON") }
  precondition(data["datasetName"]?.string.map { $0.utf8.elementsEqual(text.utf8) } == true)
  precondition(data["syncCount"]?.string.map { $0.utf8.elementsEqual("\(Int64.max)".utf8) } == true)
  precondition(texts?.members.count == 2)
}
