// Made by Tools/operations.py from the model of sts in botocore 1.44.8. Not edited by hand.

extension TextBounds {
  package static let accessKeyID = TextBounds(16...128, #"[\w]*"#)
  package static let assumedRoleID = TextBounds(2...193, #"[\w+=,.@:-]*"#)
  package static let externalID = TextBounds(2...1_224, #"[\w+=,.@:\/-]*"#)
  package static let roleARN = TextBounds(20...2_048, .roleARN)
  package static let serviceARN = TextBounds(20...2_048)
  package static let sessionName = TextBounds(2...64, #"[\w+=,.@-]*"#)
  package static let sessionPolicy = TextBounds(1...2_048, .policyDocument)
  package static let sessionTagName = TextBounds(1...128, #"[\p{L}\p{Z}\p{N}_.:/=+\-@]+"#)
  package static let sessionTagValue = TextBounds(0...256, #"[\p{L}\p{Z}\p{N}_.:/=+\-@]*"#)
  package static let sourceIdentity = TextBounds(2...256, #"[\w+=,.@-]*"#)
  package static let webIdentitySubject = TextBounds(6...255)
  package static let webIdentityToken = TextBounds(4...20_000).sensitive
}
