internal import CTokenSecurityCurl

/// The library as a whole.
enum Curl {
  /// True if libcurl is initialised, which it is once, and has TLS.
  static let isReady: Bool = {
    guard curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else { return false }
    guard let version = unsafe curl_version_info(CURLVERSION_FIRST) else { return false }
    return unsafe version.pointee.features & CURL_VERSION_SSL != 0
  }()
}
