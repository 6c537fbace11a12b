// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

extension TextBounds {
  package static let applicationARN = TextBounds(.applicationARN)
  package static let clientContext = TextBounds(...8_192)
  package static let datasetName = TextBounds(1...184, "[a-zA-Z0-9_.:-]+")
  package static let deviceID = TextBounds(1...256)
  package static let lastModifiedBy = TextBounds(...1_024)
  package static let pushRoleARN = TextBounds(20...2_048, .pushRoleARN)
  package static let pushToken = TextBounds(1...4_096).sensitive
  package static let recordKey = TextBounds(1...1_024)
  package static let recordValue = TextBounds(...1_048_575).sensitive
  package static let streamName = TextBounds(1...128)
  package static let syncPageToken = TextBounds(1...8_192)
  package static let syncSessionToken = TextBounds(1...1_024)
}
