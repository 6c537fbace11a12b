package import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// How rows of devices, subscriptions and settings are stored: JSON objects, which operators can read.
extension SyncDevice {
  package static let encoding = RowEncoding<SyncDevice>.json(
    write: { row, _ in
      [
        "pool": .string(row.identity.poolID), "identity": .string(row.identity.identityID),
        "id": .string(row.id), "platform": .string(row.platform.name), "token": .string(row.token),
        "endpoint": .string(row.endpoint), "registered": .instant(row.registered),
      ]
    },
    read: { row, _ in
      guard let identity = IdentityPlace(row), let id = row["id"]?.string,
        let platform = row["platform"]?.string.flatMap({ PushPlatform(name: $0) }),
        let token = row["token"]?.string, let endpoint = row["endpoint"]?.string,
        let registered = row["registered"]?.instant
      else { return nil }
      return SyncDevice(
        identity: identity, id: id, platform: platform, token: token, endpoint: endpoint,
        registered: registered)
    })
}

extension SyncSubscription {
  package static let encoding = RowEncoding<SyncSubscription>.json(
    write: { row, _ in
      [
        "dataset": .string(row.datasetID), "pool": .string(row.identity.poolID),
        "identity": .string(row.identity.identityID), "device": .string(row.deviceID),
      ]
    },
    read: { row, _ in
      guard let dataset = row["dataset"]?.string, let identity = IdentityPlace(row),
        let device = row["device"]?.string
      else { return nil }
      return SyncSubscription(datasetID: dataset, identity: identity, deviceID: device)
    })
}

extension PushConfiguration {
  package static let encoding = RowEncoding<PushConfiguration>.json(
    write: { row, _ in
      [
        "pool": .string(row.poolID), "applications": .array(row.applicationARNs.map(JSONValue.string)),
        "role": .string(row.roleARN),
      ]
    },
    read: { row, _ in
      guard let pool = row["pool"]?.string, let applications = row["applications"]?.strings,
        let role = row["role"]?.string
      else { return nil }
      return PushConfiguration(poolID: pool, applicationARNs: applications, roleARN: role)
    })
}

extension IdentityPlace {
  init?(_ row: JSONObject) {
    guard let pool = row["pool"]?.string, let identity = row["identity"]?.string else { return nil }
    self.init(poolID: pool, identityID: identity)
  }
}

extension JSONValue {
  static func whole(_ number: Int64) -> JSONValue { .number(JSONNumber(number)) }

  /// Seconds since 1970 and nanoseconds.
  static func instant(_ time: Timestamp) -> JSONValue {
    .array([whole(time.seconds), whole(Int64(time.nanoseconds))])
  }

  var instant: Timestamp? {
    guard let parts = array, parts.count == 2, let seconds = parts[0].int64,
      let nanoseconds = parts[1].int64.flatMap({ Int32(exactly: $0) }),
      (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
