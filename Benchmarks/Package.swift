// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that peers never become dependencies of the toolkit.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "Sodium", description: "this library with its trait Sodium")],
  dependencies: [
    .package(
      name: "token-security", path: "..",
      traits: [
        "CognitoIdentity", "OpenIDConnect", "PostgreSQL", "RecordsSQLite",
        .trait(name: "Sodium", condition: .when(traits: ["Sodium"])),
      ]),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .target(name: "CBare", linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("sodium")]),
    .systemLibrary(name: "CLibJWT", pkgConfig: "libjwt", providers: [.apt(["libjwt-dev"])]),
    .executableTarget(
      name: "empty-service", dependencies: [.product(name: "Hummingbird", package: "hummingbird")]),
    .executableTarget(
      name: "token-benchmarks",
      dependencies: [
        "CBare", "CLibJWT", .product(name: "JOSE", package: "token-security"),
        .product(name: "OpenIDConnect", package: "token-security"),
        .product(name: "SigV4", package: "token-security"),
        .product(name: "AccessPolicies", package: "token-security"),
        .product(name: "CognitoIdentity", package: "token-security"),
        .product(name: "CognitoIdentityClient", package: "token-security"),
        .product(name: "CognitoSync", package: "token-security"),
        .product(name: "CognitoSyncClient", package: "token-security"),
        .product(name: "HTTPExchange", package: "token-security"),
        .product(name: "RecordsSQLite", package: "token-security"),
        .product(name: "RecordsPostgreSQL", package: "token-security"),
        .product(name: "CognitoUserPool", package: "token-security"),
        .product(name: "CognitoUserPoolClient", package: "token-security"),
        .product(name: "ServiceOperations", package: "token-security"),
        .product(name: "SecureRemotePassword", package: "token-security"),
        .product(name: "OneTimeCodes", package: "token-security"),
        .product(name: "JWTKit", package: "jwt-kit"), .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "BigInt", package: "BigInt"),
      ]),
  ]
)
