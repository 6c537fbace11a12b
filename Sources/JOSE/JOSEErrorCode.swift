internal import TokenSecurityEncodings

extension JOSEError {
  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case tokenEmpty = "token_empty"
    case tokenTooLarge = "token_too_large"
    case partTooLarge = "part_too_large"
    case notCompact = "not_compact"
    case whiteSpace = "base64url_white_space"
    case alphabet = "base64url_alphabet"
    case padding = "base64url_padding"
    case encodedLength = "base64url_length"
    case trailingBits = "base64url_trailing_bits"
    case jsonEmpty = "json_empty"
    case jsonTooLarge = "json_too_large"
    case jsonByteOrderMark = "json_byte_order_mark"
    case jsonSyntax = "json_syntax"
    case jsonTrailingData = "json_trailing_data"
    case jsonInvalidUTF8 = "json_invalid_utf8"
    case jsonControlCharacter = "json_control_character"
    case jsonInvalidEscape = "json_invalid_escape"
    case jsonLoneSurrogate = "json_lone_surrogate"
    case jsonDuplicateName = "json_duplicate_name"
    case jsonNesting = "json_nesting"
    case notAnObject = "not_an_object"
    case serialization = "jws_serialization"
    case payloadPlacement = "payload_placement"
    case algorithmMissing = "alg_missing"
    case algorithmNone = "alg_none"
    case algorithmUnknown = "alg_unknown"
    case algorithmNotAllowed = "alg_not_allowed"
    case algorithmUnprotected = "alg_unprotected"
    case headerParameterType = "header_parameter_type"
    case headerKeySource = "header_key_source"
    case headerEncryption = "header_encryption"
    case criticalEmpty = "crit_empty"
    case criticalDuplicate = "crit_duplicate"
    case criticalAbsent = "crit_absent"
    case criticalNotUnderstood = "crit_not_understood"
    case criticalUnprotected = "crit_unprotected"
    case unencodedNotCritical = "b64_not_critical"
    case unencodedPayload = "b64_unencoded"
    case payloadEncoded = "b64_encoded"
    case typeMismatch = "typ_mismatch"
    case keyNotFound = "key_not_found"
    case keyAmbiguous = "key_ambiguous"
    case keyTypeMismatch = "key_type_mismatch"
    case keyAlgorithmMismatch = "key_alg_mismatch"
    case keyUseMismatch = "key_use_mismatch"
    case keyOperationMismatch = "key_ops_mismatch"
    case keyOperationsInvalid = "key_ops_invalid"
    case keyTypeUnknown = "key_type_unknown"
    case curveUnknown = "curve_unknown"
    case keyMemberMissing = "key_member_missing"
    case keyMemberInvalid = "key_member_invalid"
    case keyMemberLength = "key_member_length"
    case rsaModulusSize = "rsa_modulus_size"
    case rsaModulusEven = "rsa_modulus_even"
    case rsaModulusROCA = "rsa_key_roca"
    case rsaExponent = "rsa_exponent"
    case rsaPrivateNumberSize = "rsa_private_number_size"
    case pointInvalid = "point_invalid"
    case keyPairMismatch = "key_pair_mismatch"
    case hmacKeyTooShort = "hmac_key_too_short"
    case hmacKeyIsKeyFile = "hmac_key_is_key_file"
    case certificateMismatch = "certificate_mismatch"
    case certificateThumbprintMismatch = "certificate_thumbprint_mismatch"
    case keyUnreadable = "key_unreadable"
    case keyNotDER = "key_not_der"
    case keyTrailingData = "key_trailing_data"
    case keyEncrypted = "key_encrypted"
    case pem = "pem_invalid"
    case keySetInvalid = "key_set_invalid"
    case keyNotPrivate = "key_not_private"
    case keyNotPublic = "key_not_public"
    case signatureLength = "signature_length"
    case signatureRange = "signature_range"
    case signatureInvalid = "signature_invalid"
    case signaturesMissing = "signatures_missing"
    case claimMissing = "claim_missing"
    case claimType = "claim_type"
    case dateOutOfRange = "date_out_of_range"
    case expired = "token_expired"
    case notYetValid = "token_not_yet_valid"
    case issuedInFuture = "token_issued_in_future"
    case issuerMismatch = "issuer_mismatch"
    case audienceMismatch = "audience_mismatch"
    case subjectMismatch = "subject_mismatch"
    case claimUnexpected = "claim_unexpected"
    case claimMismatch = "claim_mismatch"
    case lifetimeNegative = "lifetime_negative"
    case lifetimeTooLong = "lifetime_too_long"
    case tooOld = "token_too_old"
    case checkFailed = "check_failed"
    case ruleBroken = "rule_broken"
    case lifetimeRefused = "lifetime_refused"
    case policyInvalid = "policy_invalid"
    case library = "library_failure"
  }

  /// The code as programs see it: ``code``, or for `ruleBroken` the refusal's own.
  public var codeName: String {
    if case .ruleBroken(let refusal) = self { refusal.code } else { code.rawValue }
  }

  /// The stable code of this refusal.
  public var code: Code {
    switch self {
    case .tokenEmpty: .tokenEmpty
    case .tokenTooLarge: .tokenTooLarge
    case .partTooLarge: .partTooLarge
    case .notCompact: .notCompact
    case .whiteSpace: .whiteSpace
    case .alphabet: .alphabet
    case .padding: .padding
    case .encodedLength: .encodedLength
    case .trailingBits: .trailingBits
    case .json(_, let error): Self.code(of: error)
    case .notAnObject: .notAnObject
    case .serialization: .serialization
    case .payloadPlacement: .payloadPlacement
    case .algorithmMissing: .algorithmMissing
    case .algorithmNone: .algorithmNone
    case .algorithmUnknown: .algorithmUnknown
    case .algorithmNotAllowed: .algorithmNotAllowed
    case .algorithmUnprotected: .algorithmUnprotected
    case .headerParameterType: .headerParameterType
    case .headerKeySource: .headerKeySource
    case .headerEncryption: .headerEncryption
    case .criticalEmpty: .criticalEmpty
    case .criticalDuplicate: .criticalDuplicate
    case .criticalAbsent: .criticalAbsent
    case .criticalNotUnderstood: .criticalNotUnderstood
    case .criticalUnprotected: .criticalUnprotected
    case .unencodedNotCritical: .unencodedNotCritical
    case .unencodedPayload: .unencodedPayload
    case .payloadEncoded: .payloadEncoded
    case .typeMismatch: .typeMismatch
    case .keyNotFound: .keyNotFound
    case .keyAmbiguous: .keyAmbiguous
    case .keyTypeMismatch: .keyTypeMismatch
    case .keyAlgorithmMismatch: .keyAlgorithmMismatch
    case .keyUseMismatch: .keyUseMismatch
    case .keyOperationMismatch: .keyOperationMismatch
    case .keyOperationsInvalid: .keyOperationsInvalid
    case .keyTypeUnknown: .keyTypeUnknown
    case .curveUnknown: .curveUnknown
    case .keyMemberMissing: .keyMemberMissing
    case .keyMemberInvalid: .keyMemberInvalid
    case .keyMemberLength: .keyMemberLength
    case .rsaModulusSize: .rsaModulusSize
    case .rsaModulusEven: .rsaModulusEven
    case .rsaModulusROCA: .rsaModulusROCA
    case .rsaExponent: .rsaExponent
    case .rsaPrivateNumberSize: .rsaPrivateNumberSize
    case .pointInvalid: .pointInvalid
    case .keyPairMismatch: .keyPairMismatch
    case .hmacKeyTooShort: .hmacKeyTooShort
    case .hmacKeyIsKeyFile: .hmacKeyIsKeyFile
    case .certificateMismatch: .certificateMismatch
    case .certificateThumbprintMismatch: .certificateThumbprintMismatch
    case .keyUnreadable: .keyUnreadable
    case .keyNotDER: .keyNotDER
    case .keyTrailingData: .keyTrailingData
    case .keyEncrypted: .keyEncrypted
    case .pem: .pem
    case .keySetInvalid: .keySetInvalid
    case .keyNotPrivate: .keyNotPrivate
    case .keyNotPublic: .keyNotPublic
    case .signatureLength: .signatureLength
    case .signatureRange: .signatureRange
    case .signatureInvalid: .signatureInvalid
    case .signaturesMissing: .signaturesMissing
    case .claimMissing: .claimMissing
    case .claimType: .claimType
    case .dateOutOfRange: .dateOutOfRange
    case .expired: .expired
    case .notYetValid: .notYetValid
    case .issuedInFuture: .issuedInFuture
    case .issuerMismatch: .issuerMismatch
    case .audienceMismatch: .audienceMismatch
    case .subjectMismatch: .subjectMismatch
    case .claimUnexpected: .claimUnexpected
    case .claimMismatch: .claimMismatch
    case .lifetimeNegative: .lifetimeNegative
    case .lifetimeTooLong: .lifetimeTooLong
    case .tooOld: .tooOld
    case .checkFailed: .checkFailed
    case .ruleBroken: .ruleBroken
    case .lifetimeRefused: .lifetimeRefused
    case .policyInvalid: .policyInvalid
    case .library: .library
    }
  }

  private static func code(of error: JSONError) -> Code {
    switch error {
    case .empty: .jsonEmpty
    case .tooLarge: .jsonTooLarge
    case .byteOrderMark: .jsonByteOrderMark
    case .syntax: .jsonSyntax
    case .trailingData: .jsonTrailingData
    case .invalidUTF8: .jsonInvalidUTF8
    case .controlCharacter: .jsonControlCharacter
    case .invalidEscape: .jsonInvalidEscape
    case .loneSurrogate: .jsonLoneSurrogate
    case .duplicateName: .jsonDuplicateName
    case .nesting: .jsonNesting
    }
  }
}
