extension SigV4Error {
  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case methodInvalid = "method_invalid"
    case pathNotAbsolute = "path_not_absolute"
    case targetTooLong = "target_too_long"
    case targetCharacter = "target_character"
    case percentEncoding = "percent_encoding"
    case tooManyHeaders = "too_many_headers"
    case headersTooLarge = "headers_too_large"
    case headerName = "header_name"
    case headerValue = "header_value"
    case hostMissing = "host_missing"
    case hostMismatch = "host_mismatch"
    case hostNotAccepted = "host_not_accepted"
    case headerRepeated = "header_repeated"
    case headerUnexpected = "header_unexpected"
    case headerUnsigned = "header_unsigned"
    case signedHeaderAbsent = "signed_header_absent"
    case dateMissing = "date_missing"
    case dateMalformed = "date_malformed"
    case scopePart = "scope_part"
    case scopeTermination = "scope_termination"
    case scopeDateMismatch = "scope_date_mismatch"
    case credentialMalformed = "credential_malformed"
    case regionSetEmpty = "region_set_empty"
    case regionSetMalformed = "region_set_malformed"
    case accessKeyMalformed = "access_key_malformed"
    case secretEmpty = "secret_empty"
    case sessionTokenMalformed = "session_token_malformed"
    case sessionTokenMismatch = "session_token_mismatch"
    case credentialsExpired = "credentials_expired"
    case signingKeyLength = "signing_key_length"
    case signingKeyScope = "signing_key_scope"
    case signingKeyUnavailable = "signing_key_unavailable"
    case publicKeyInvalid = "public_key_invalid"
    case keyAlgorithm = "key_algorithm"
    case randomUnavailable = "random_unavailable"
    case lifetime = "expires_out_of_range"
    case expiresMalformed = "expires_malformed"
    case payloadHashLength = "payload_hash_length"
    case payloadHashMissing = "payload_hash_missing"
    case payloadHashMalformed = "payload_hash_malformed"
    case payloadHashMismatch = "payload_hash_mismatch"
    case payloadModeAlgorithm = "payload_mode_algorithm"
    case payloadNotAccepted = "payload_not_accepted"
    case payloadNotBound = "payload_not_bound"
    case payloadNotPresignable = "payload_not_presignable"
    case notStreamed = "not_streamed"
    case chunkLayout = "chunk_layout"
    case signatureMissing = "signature_missing"
    case signatureTwice = "signature_twice"
    case authorizationMalformed = "authorization_malformed"
    case algorithmUnknown = "algorithm_unknown"
    case algorithmNotAccepted = "algorithm_not_accepted"
    case placementNotAccepted = "placement_not_accepted"
    case parameterMissing = "parameter_missing"
    case parameterRepeated = "parameter_repeated"
    case parameterUnexpected = "parameter_unexpected"
    case signedHeadersMalformed = "signed_headers_malformed"
    case signatureMalformed = "signature_malformed"
    case signatureMismatch = "signature_mismatch"
    case accessKeyUnknown = "access_key_unknown"
    case wrongService = "wrong_service"
    case wrongRegion = "wrong_region"
    case requestExpired = "request_expired"
    case requestFromFuture = "request_from_future"
    case presignedExpired = "presigned_expired"
    case ambiguous = "ambiguous"
    case replayed = "request_replayed"
    case decodedLengthMissing = "decoded_length_missing"
    case decodedLengthMismatch = "decoded_length_mismatch"
    case chunkMalformed = "chunk_malformed"
    case chunkTooLarge = "chunk_too_large"
    case chunkSignatureMismatch = "chunk_signature_mismatch"
    case dataAfterEnd = "data_after_end"
    case bodyEndedEarly = "body_ended_early"
    case trailerDeclaration = "trailer_declaration"
    case trailerUndeclared = "trailer_undeclared"
    case trailerMissing = "trailer_missing"
    case trailerMalformed = "trailer_malformed"
    case trailerSignatureMismatch = "trailer_signature_mismatch"
    case checksumMismatch = "checksum_mismatch"
    case eventMalformed = "event_malformed"
    case eventChecksum = "event_checksum"
    case eventSignatureMismatch = "event_signature_mismatch"
    case eventAfterEnd = "event_after_end"
    case policyMalformed = "policy_malformed"
    case policyExpired = "policy_expired"
    case policyCondition = "policy_condition"
    case messageMalformed = "message_malformed"
    case library = "library"
  }

  /// The stable code of this refusal.
  public var code: Code {
    switch self {
    case .methodInvalid: .methodInvalid
    case .pathNotAbsolute: .pathNotAbsolute
    case .targetTooLong: .targetTooLong
    case .targetCharacter: .targetCharacter
    case .percentEncoding: .percentEncoding
    case .tooManyHeaders: .tooManyHeaders
    case .headersTooLarge: .headersTooLarge
    case .headerName: .headerName
    case .headerValue: .headerValue
    case .hostMissing: .hostMissing
    case .hostMismatch: .hostMismatch
    case .hostNotAccepted: .hostNotAccepted
    case .headerRepeated: .headerRepeated
    case .headerUnexpected: .headerUnexpected
    case .headerUnsigned: .headerUnsigned
    case .signedHeaderAbsent: .signedHeaderAbsent
    case .dateMissing: .dateMissing
    case .dateMalformed: .dateMalformed
    case .scopePart: .scopePart
    case .scopeTermination: .scopeTermination
    case .scopeDateMismatch: .scopeDateMismatch
    case .credentialMalformed: .credentialMalformed
    case .regionSetEmpty: .regionSetEmpty
    case .regionSetMalformed: .regionSetMalformed
    case .accessKeyMalformed: .accessKeyMalformed
    case .secretEmpty: .secretEmpty
    case .sessionTokenMalformed: .sessionTokenMalformed
    case .sessionTokenMismatch: .sessionTokenMismatch
    case .credentialsExpired: .credentialsExpired
    case .signingKeyLength: .signingKeyLength
    case .signingKeyScope: .signingKeyScope
    case .signingKeyUnavailable: .signingKeyUnavailable
    case .publicKeyInvalid: .publicKeyInvalid
    case .keyAlgorithm: .keyAlgorithm
    case .randomUnavailable: .randomUnavailable
    case .lifetime: .lifetime
    case .expiresMalformed: .expiresMalformed
    case .payloadHashLength: .payloadHashLength
    case .payloadHashMissing: .payloadHashMissing
    case .payloadHashMalformed: .payloadHashMalformed
    case .payloadHashMismatch: .payloadHashMismatch
    case .payloadModeAlgorithm: .payloadModeAlgorithm
    case .payloadNotAccepted: .payloadNotAccepted
    case .payloadNotBound: .payloadNotBound
    case .payloadNotPresignable: .payloadNotPresignable
    case .notStreamed: .notStreamed
    case .chunkLayout: .chunkLayout
    case .signatureMissing: .signatureMissing
    case .signatureTwice: .signatureTwice
    case .authorizationMalformed: .authorizationMalformed
    case .algorithmUnknown: .algorithmUnknown
    case .algorithmNotAccepted: .algorithmNotAccepted
    case .placementNotAccepted: .placementNotAccepted
    case .parameterMissing: .parameterMissing
    case .parameterRepeated: .parameterRepeated
    case .parameterUnexpected: .parameterUnexpected
    case .signedHeadersMalformed: .signedHeadersMalformed
    case .signatureMalformed: .signatureMalformed
    case .signatureMismatch: .signatureMismatch
    case .accessKeyUnknown: .accessKeyUnknown
    case .wrongService: .wrongService
    case .wrongRegion: .wrongRegion
    case .requestExpired: .requestExpired
    case .requestFromFuture: .requestFromFuture
    case .presignedExpired: .presignedExpired
    case .ambiguous: .ambiguous
    case .replayed: .replayed
    case .decodedLengthMissing: .decodedLengthMissing
    case .decodedLengthMismatch: .decodedLengthMismatch
    case .chunkMalformed: .chunkMalformed
    case .chunkTooLarge: .chunkTooLarge
    case .chunkSignatureMismatch: .chunkSignatureMismatch
    case .dataAfterEnd: .dataAfterEnd
    case .bodyEndedEarly: .bodyEndedEarly
    case .trailerDeclaration: .trailerDeclaration
    case .trailerUndeclared: .trailerUndeclared
    case .trailerMissing: .trailerMissing
    case .trailerMalformed: .trailerMalformed
    case .trailerSignatureMismatch: .trailerSignatureMismatch
    case .checksumMismatch: .checksumMismatch
    case .eventMalformed: .eventMalformed
    case .eventChecksum: .eventChecksum
    case .eventSignatureMismatch: .eventSignatureMismatch
    case .eventAfterEnd: .eventAfterEnd
    case .policyMalformed: .policyMalformed
    case .policyExpired: .policyExpired
    case .policyCondition: .policyCondition
    case .messageMalformed: .messageMalformed
    case .library: .library
    }
  }
}
