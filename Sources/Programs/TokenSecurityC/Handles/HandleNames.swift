// A handle is the address of a Swift object. These names are those of the header's types.

/// `ts_error *`.
public typealias ErrorHandle = OpaquePointer
/// `ts_buffer *`.
public typealias BufferHandle = OpaquePointer
/// `ts_verifier *`.
public typealias VerifierHandle = OpaquePointer
/// `ts_fetch *`.
public typealias FetchHandle = OpaquePointer
/// `ts_token *`.
public typealias TokenHandle = OpaquePointer
/// `ts_proof_verifier *`.
public typealias ProofVerifierHandle = OpaquePointer
/// `ts_signer *`.
public typealias SignerHandle = OpaquePointer
/// `ts_request *`.
public typealias RequestHandle = OpaquePointer
/// `ts_request_verifier *`.
public typealias RequestVerifierHandle = OpaquePointer
/// `ts_session_keys *`.
public typealias SessionKeysHandle = OpaquePointer
/// `ts_session *`.
public typealias SessionHandle = OpaquePointer
/// `ts_srp_client *`.
public typealias SRPClientHandle = OpaquePointer
/// `ts_srp_server *`.
public typealias SRPServerHandle = OpaquePointer
