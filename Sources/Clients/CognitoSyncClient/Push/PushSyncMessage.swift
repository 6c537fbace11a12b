public import ServiceOperations
internal import TokenSecurityBase

/// A push message that another device changed a data set.
///
///     let message = try PushSyncMessage(payload, from: .apns)
///     if message.shouldSynchronize(against: position) { try await dataset.synchronize() }
///
/// Messages are not authenticated: anyone who can send one to the device can write it. ``PushSyncReceiver`` checks
/// and limits them; nothing of a message is stored.
public struct PushSyncMessage: Sendable, Hashable {
  /// Who sent it. The service's messages have ``serviceSource``.
  public let source: String
  /// The identity pool.
  public let identityPoolID: String
  /// The identity whose data set it is.
  public let identityID: String
  /// The data set's name.
  public let datasetName: String
  /// The data set's count after the change.
  public let syncCount: Int64

  /// The source of the service's messages: `cognito-sync`.
  public static var serviceSource: String { "cognito-sync" }
  /// Maximum size of a message in bytes. Platforms deliver 4 to 6 KiB.
  public static var sizeLimit: Int { 8_192 }

  /// Reads a message as a platform delivers it, in JSON.
  ///
  /// Apple's has the keys in the object `data`, those of Google and Amazon have them at the top.
  ///
  /// - Parameters:
  ///   - payload: the message.
  ///   - platform: the platform that delivered it.
  /// - Throws: `messageInvalid` unless there are all five keys, and the count is a whole number from 0.
  public init(_ payload: [UInt8], from platform: PushPlatform) throws(SyncClientError) {
    let object: JSONValue
    do throws(JSONError) {
      object = try JSONValue(parsing: payload, limits: JSONLimits(size: Self.sizeLimit, depth: 16))
    } catch {
      throw .messageInvalid(rule: "\(error)")
    }
    let fields: JSONValue? =
      switch platform {
      case .apns, .apnsSandbox: object.object?["data"]
      case .gcm, .adm: object
      }
    guard let fields = fields?.object else { throw .messageInvalid(rule: "it has no object with the keys") }
    try self.init { name in
      switch fields[name] {
      case .string(let text): text
      case .number(let number): number.description
      default: nil
      }
    }
  }

  /// Reads a message from its keys and texts, as applications for Google's and Amazon's services get it, and as the
  /// object `data` of Apple's.
  ///
  /// - Parameter fields: the texts by key. Other keys are ignored.
  /// - Throws: `messageInvalid` unless there are all five keys, and the count is a whole number from 0.
  public init(fields: [String: String]) throws(SyncClientError) {
    try self.init { name in fields.first { $0.key == name }?.value }
  }

  private init(_ text: (String) -> String?) throws(SyncClientError) {
    func present(_ name: String) throws(SyncClientError) -> String {
      guard let text = text(name) else { throw .messageInvalid(rule: "it has no text \(name)") }
      guard (1...1_024).contains(text.utf8.count) else {
        throw .messageInvalid(rule: "its \(name) has not 1 to 1,024 bytes")
      }
      return text
    }
    source = try present("source")
    identityPoolID = try present("identityPoolId")
    identityID = try present("identityId")
    datasetName = try present("datasetName")
    guard TextBounds.datasetName.allows(datasetName) else {
      throw .messageInvalid(rule: "its datasetName \(datasetName.quoted) is not the name of a data set")
    }
    let count = try present("syncCount")
    guard let number = Int64(count), number >= 0, "\(number)" == count else {
      throw .messageInvalid(rule: "its syncCount \(count.quoted) is not a whole number from 0")
    }
    syncCount = number
  }

  /// Whether a data set is to be synchronised because of this message: the message is the service's, it is about this
  /// data set of this identity, and it has a higher count.
  ///
  /// - Parameter position: the data set on this device.
  /// - Returns: true if it is.
  public func shouldSynchronize(against position: DatasetPosition) -> Bool {
    source == Self.serviceSource && identityPoolID == position.identityPoolID
      && identityID == position.identityID && datasetName == position.datasetName
      && position.lastSyncCount < syncCount
  }
}

/// A data set on this device and its count, which a message is compared with.
public struct DatasetPosition: Sendable, Hashable {
  /// The identity pool.
  public let identityPoolID: String
  /// The identity.
  public let identityID: String
  /// The data set's name.
  public let datasetName: String
  /// The count up to which this device has all changes.
  public let lastSyncCount: Int64

  /// A position.
  ///
  /// - Parameters:
  ///   - identityPoolID: the identity pool.
  ///   - identityID: the identity.
  ///   - datasetName: the data set's name.
  ///   - lastSyncCount: the count up to which this device has all changes.
  public init(identityPoolID: String, identityID: String, datasetName: String, lastSyncCount: Int64) {
    self.identityPoolID = identityPoolID
    self.identityID = identityID
    self.datasetName = datasetName
    self.lastSyncCount = lastSyncCount
  }
}
