// Made by Tools/operations.py from the model of cognito-idp in botocore 1.44.8. Not edited by hand.

extension TextBounds {
  package static let arn = TextBounds(20...2_048, .arn)
  package static let attributeName = TextBounds(1...32, #"[\p{L}\p{M}\p{S}\p{N}\p{P}\t\n\r ]+"#)
  package static let attributeValue = TextBounds(...2_048).sensitive
  package static let clientID = TextBounds(1...128, #"[\w+]+"#).sensitive
  package static let clientName = TextBounds(1...128, #"[\w\s+=,.@-]+"#)
  package static let clientPermission = TextBounds(1...2_048)
  package static let clientSecret = TextBounds(24...64, #"[\w+]+"#).sensitive
  package static let confirmationCode = TextBounds(1...2_048, #"[\S]+"#).sensitive
  package static let customAttributeName = TextBounds(1...20, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
  package static let description = TextBounds(...2_048)
  package static let deviceKey = TextBounds(1...55, .deviceKey)
  package static let deviceName = TextBounds(1...1_024)
  package static let emailAddress = TextBounds(.emailAddress)
  package static let emailInviteMessage = TextBounds(6...20_000, #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*"#)
  package static let emailMFAMessage = TextBounds(6...20_000, .emailWithCode)
  package static let emailMFASubject = TextBounds(#"[\p{L}\p{M}\p{S}\p{N}\p{P}\s]+"#)
  package static let emailVerificationMessage = TextBounds(6...20_000, .emailWithCode)
  package static let emailVerificationMessageByLink = TextBounds(6...20_000, .emailWithLink)
  package static let emailVerificationSubject = TextBounds(1...140, #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s]+"#)
  package static let emailVerificationSubjectByLink = TextBounds(1...140, #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s]+"#)
  package static let groupName = TextBounds(1...128, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
  package static let hexString = TextBounds(.hexadecimal)
  package static let nextToken = TextBounds(1...131_072, #"[\S]+"#)
  package static let optionalARN = TextBounds(0...2_048, .optionalARN)
  package static let paginationToken = TextBounds(1...131_072, #"[\S]+"#)
  package static let password = TextBounds(...256, #"[\S]+"#).sensitive
  package static let providerName = TextBounds(1...32, #"[\p{L}\p{M}\p{S}\p{N}\p{P}\p{Z}]+"#)
  package static let redirectURL = TextBounds(1...1_024, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
  package static let regionCode = TextBounds(5...32)
  package static let relyingPartyID = TextBounds(1...127)
  package static let scope = TextBounds(1...256, #"[\x21\x23-\x5B\x5D-\x7E]+"#)
  package static let secretCode = TextBounds(16...1_024, "[A-Za-z0-9]+").sensitive
  package static let secretHash = TextBounds(1...128, #"[\w+=/]+"#).sensitive
  package static let sesConfigurationSet = TextBounds(1...64, .configurationSet)
  package static let session = TextBounds(20...4_096).sensitive
  package static let smsInviteMessage = TextBounds(6...140, .anyLines)
  package static let smsVerificationMessage = TextBounds(6...140, .smsWithCode)
  package static let softwareTokenCode = TextBounds(6...6, "[0-9]+").sensitive
  package static let text = TextBounds(0...131_072)
  package static let token = TextBounds("[A-Za-z0-9-_=.]+").sensitive
  package static let userFilter = TextBounds(...256)
  package static let userPoolID = TextBounds(1...55, .userPoolID)
  package static let userPoolName = TextBounds(1...128, #"[\w\s+=,.@-]+"#)
  package static let username = TextBounds(1...128, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#).sensitive
}

extension MapBounds<TextBounds> {
  package static var authParameters: Self { Self(keys: .text, values: .text.sensitive, isSensitive: true) }
  package static var challengeParameters: Self { Self(keys: .text, values: .text) }
  package static var challengeResponses: Self {
    Self(keys: .text, values: .text.sensitive, isSensitive: true)
  }
  package static var clientMetadata: Self { Self(keys: .text, values: .text) }
}
