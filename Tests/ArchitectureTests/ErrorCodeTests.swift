internal import AccessPolicies
internal import CognitoIdentity
internal import CognitoIdentityClient
internal import CognitoSync
internal import CognitoSyncClient
internal import CognitoUserPool
internal import CognitoUserPoolClient
internal import HTTPExchange
internal import JOSE
internal import OTPQRCode
internal import OneTimeCodes
internal import OpenIDConnect
internal import PasswordPreparation
internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import SigV4
internal import Testing
internal import TokenLifetime
internal import TokenSecurityC
internal import TokenSecurityVectorFiles

/// The codes that programs match.
@Suite struct ErrorCodeTests {
  /// Every code says what it means and what to do, on each page that `verify-token codes` reads.
  @Test(arguments: ["error-codes", "identity-service", "sidecar", "verify-token"])
  func allCodesSayWhatToDo(page: String) throws {
    let text = String(decoding: try VectorFile.bytes("\(VectorFile.root)/docs/\(page).md"), as: UTF8.self)
    var columns = 0
    var codes = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingPrefix(" ")
      }
      if line.hasPrefix("| code |") {
        columns = cells.count
        #expect(line.hasSuffix("| meaning | what to do |"))
      } else if columns > 0, line.hasPrefix("| ") {
        codes += 1
        // The meaning and what to do; some errors have no exception.
        #expect(cells.count == columns && cells.dropLast().suffix(2).allSatisfy { !$0.isEmpty }, "\(line)")
      } else if !line.hasPrefix("|") {
        columns = 0
      }
    }
    #expect(codes > 5)
  }

  /// Every code has its line in the list that users read, and the list has no other.
  @Test func allCodesAreListed() throws {
    let text = String(
      decoding: try VectorFile.bytes("\(VectorFile.root)/docs/error-codes.md"), as: UTF8.self)
    let listed = text.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `") else { return nil }
      return line.split(separator: "`").dropFirst().first.map(String.init)
    }
    let lists: [[String]] = [
      JOSEError.Code.allCases.map(\.rawValue),
      LifetimeError.Code.allCases.map(\.rawValue),
      JSONError.Code.allCases.map(\.rawValue),
      QRCodeError.Code.allCases.map(\.rawValue),
      ClaimError.Code.allCases.map(\.rawValue),
      FetchError.Code.allCases.map(\.rawValue),
      TransportError.Code.allCases.map(\.rawValue),
      OpenIDError.Code.allCases.map(\.rawValue),
      SigV4Error.Code.allCases.map(\.rawValue),
      CredentialsError.Code.allCases.map(\.rawValue),
      SRPError.Code.allCases.map(\.rawValue),
      OTPError.Code.allCases.map(\.rawValue),
      SASLprepError.Code.allCases.map(\.rawValue),
      OperationError.Code.allCases.map(\.rawValue),
      OperationCallError.Code.allCases.map(\.rawValue),
      RecordStoreError.Code.allCases.map(\.rawValue),
      IdentityError.Code.allCases.map(\.rawValue),
      IdentityClientError.Code.allCases.map(\.rawValue),
      SessionRequestError.Code.allCases.map(\.rawValue),
      AccessMappingError.Code.allCases.map(\.rawValue),
      UserPoolClientError.Code.allCases.map(\.rawValue),
      UserPoolError.Code.allCases.map(\.rawValue),
      HookError.Code.allCases.map(\.rawValue),
      MessageError.Code.allCases.map(\.rawValue),
      PushError.Code.allCases.map(\.rawValue),
      SyncError.Code.allCases.map(\.rawValue),
      SyncClientError.Code.allCases.map(\.rawValue),
      PolicyDocumentError.Code.allCases.map(\.rawValue),
      AccessPolicyError.Code.allCases.map(\.rawValue),
      PolicyWarning.Code.allCases.map(\.rawValue),
      AccessDecision.Reason.allCases.map(\.rawValue),
      ElementMismatch.Code.allCases.map(\.rawValue),
      CallError.Code.allCases.map(\.rawValue),
    ]
    let codes = lists.flatMap { $0 }
    #expect(listed.sorted() == codes.sorted())
    #expect(Set(codes).count == codes.count)
  }
}
