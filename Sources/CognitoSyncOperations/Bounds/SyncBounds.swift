package import ServiceOperations

// The bounds of the members of data sets' operations, by the names of the service's model. Those of ids are the
// bounds of identity pools.

extension TextBounds {
  /// A data set's name, also of one that came with a merged identity: its name is that of the data set, a full
  /// stop and the id of the identity.
  package static let datasetName = TextBounds(1...184, #"[a-zA-Z0-9_.:-]+"#)
  /// The name of a new data set.
  package static let newDatasetName = TextBounds(1...128, #"[a-zA-Z0-9_.:-]+"#)
  package static let recordKey = TextBounds(1...1_024)
  package static let recordValue = TextBounds(...1_048_575).sensitive
  package static let syncSessionToken = TextBounds(1...1_024)
  package static let deviceID = TextBounds(1...256)
  package static let pushToken = TextBounds(1...4_096).sensitive
  package static let applicationARN = TextBounds(.applicationARN)
  package static let pushRoleARN = TextBounds(20...2_048, .roleARN)
  package static let clientContext = TextBounds(...8_192)
  /// The device, the identity or the account that changed something.
  package static let lastModifiedBy = TextBounds(...1_024)
  package static let syncPageToken = TextBounds(1...8_192)
}

extension IntegerBounds {
  /// The size of a page of data sets or records.
  package static let syncPage = IntegerBounds.integer(1...1_024)
  package static let syncCount = IntegerBounds.long(0...Int64.max)
}
