// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
]

let package = Package(
  name: "token-security",
  products: [
    .library(name: "CognitoIdentity", targets: ["CognitoIdentity"]),
    .library(name: "CognitoIdentityClient", targets: ["CognitoIdentityClient"]),
    .library(name: "CognitoIdentityClientHTTP", targets: ["CognitoIdentityClientHTTP"]),
    .library(name: "CognitoIdentitySQLite", targets: ["CognitoIdentitySQLite"]),
    .library(name: "JOSE", targets: ["JOSE"]),
    .library(name: "OneTimeCodes", targets: ["OneTimeCodes"]),
    .library(name: "OTPQRCode", targets: ["OTPQRCode"]),
    .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
    .library(name: "OpenIDConnectHTTP", targets: ["OpenIDConnectHTTP"]),
    .library(name: "SigV4", targets: ["SigV4"]),
    .library(name: "SigV4Credentials", targets: ["SigV4Credentials"]),
    .library(name: "SigV4HTTPTypes", targets: ["SigV4HTTPTypes"]),
    .library(name: "PasswordPreparation", targets: ["PasswordPreparation"]),
    .library(name: "SecureRemotePassword", targets: ["SecureRemotePassword"]),
    .library(name: "TokenLifetime", targets: ["TokenLifetime"]),
    .executable(name: "identity-service", targets: ["identity-service"]),
    .executable(name: "verify-token", targets: ["verify-token"]),
    .executable(name: "verify-token-fetch", targets: ["verify-token-fetch"]),
    .executable(name: "verify-token-qr", targets: ["verify-token-qr"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
  ],
  targets: [
    .systemLibrary(name: "CTokenSecurityOpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CTokenSecurityQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CTokenSecurityStringprep", pkgConfig: "libidn", providers: [.apt(["libidn-dev"])]),
    .target(name: "TokenSecurityEncodings", swiftSettings: strict),
    .target(name: "TokenLifetime", swiftSettings: strict),
    .target(
      name: "TokenSecurityCrypto", dependencies: ["CTokenSecurityOpenSSL", "TokenSecurityEncodings"],
      swiftSettings: strict),
    .target(
      name: "JOSE", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
      swiftSettings: strict),
    .target(
      name: "SigV4", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
      swiftSettings: strict),
    .target(
      name: "OneTimeCodes", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings"],
      swiftSettings: strict),
    .target(
      name: "OTPQRCode",
      dependencies: ["CTokenSecurityQRencode", "TokenSecurityCrypto", "TokenSecurityEncodings"],
      swiftSettings: strict),
    .target(
      name: "PasswordPreparation", dependencies: ["CTokenSecurityStringprep", "TokenSecurityCrypto"],
      swiftSettings: strict),
    .target(
      name: "SecureRemotePassword", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings"],
      swiftSettings: strict),
    .target(
      name: "SigV4Credentials",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "SigV4",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: strict),
    .target(
      name: "SigV4HTTPTypes",
      dependencies: [
        "TokenSecurityEncodings", "SigV4", .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "OpenIDConnect",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE", "TokenLifetime",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ], swiftSettings: strict),
    .target(
      name: "OpenIDConnectHTTP",
      dependencies: [
        "OpenIDConnect",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(
      name: "CognitoIdentity",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE", "OpenIDConnect", "SigV4", "TokenLifetime",
      ],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentitySQLite",
      dependencies: [
        "CognitoIdentity", "TokenSecurityEncodings", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentityClient",
      dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings", "SigV4"],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentityClientHTTP",
      dependencies: [
        "CognitoIdentityClient", "TokenSecurityCrypto",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "identity-service",
      dependencies: [
        "CognitoIdentity", "CognitoIdentitySQLite", "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE",
        "OpenIDConnect",
        "OpenIDConnectHTTP", "SigV4", "SigV4HTTPTypes", "TokenLifetime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "verify-token",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE", "OneTimeCodes", "OpenIDConnect", "SigV4",
        "TokenLifetime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    .executableTarget(
      name: "verify-token-fetch",
      dependencies: ["TokenSecurityEncodings", "OpenIDConnect", "OpenIDConnectHTTP"],
      swiftSettings: strict),

    .executableTarget(
      name: "verify-token-qr", dependencies: ["TokenSecurityCrypto", "OTPQRCode"], swiftSettings: strict),

    .executableTarget(
      name: "token-maker", dependencies: ["JOSE"], path: "Tests/Interop/TokenMaker", swiftSettings: strict),
    .executableTarget(
      name: "request-peer",
      dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings", "SigV4", "SigV4Credentials"],
      path: "Tests/Interop/RequestPeer", swiftSettings: strict),
    .executableTarget(
      name: "identity-peer",
      dependencies: [
        "CognitoIdentityClient", "CognitoIdentityClientHTTP", "TokenSecurityCrypto", "TokenSecurityEncodings",
      ],
      path: "Tests/Interop/IdentityPeer", swiftSettings: strict),
    .executableTarget(
      name: "sign-in-peer",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "OneTimeCodes", "SecureRemotePassword",
      ],
      path: "Tests/Interop/SignInPeer", swiftSettings: strict),
    .target(name: "CTokenSecurityMarks", path: "Tests/Instructions/CTokenSecurityMarks"),
    .executableTarget(
      name: "instruction-probe",
      dependencies: [
        "CTokenSecurityMarks", "CognitoIdentity", "CognitoIdentityClient", "TokenSecurityCrypto",
        "TokenSecurityEncodings", "JOSE", "OneTimeCodes",
        "OpenIDConnect", "SecureRemotePassword", "SigV4",
      ], path: "Tests/Instructions/Probe", swiftSettings: strict),
    .systemLibrary(
      name: "CTokenSecurityLibJWT", path: "Tests/CTokenSecurityLibJWT", pkgConfig: "libjwt",
      providers: [.apt(["libjwt-dev"])]
    ),
    .target(
      name: "TokenSecurityVectorFiles", dependencies: ["TokenSecurityEncodings"],
      path: "Tests/TokenSecurityVectorFiles", swiftSettings: strict),
    .testTarget(
      name: "TokenSecurityEncodingsTests",
      dependencies: ["TokenSecurityEncodings", "TokenSecurityVectorFiles"], swiftSettings: strict),
    .testTarget(
      name: "TokenSecurityCryptoTests", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings"],
      swiftSettings: strict),
    .testTarget(
      name: "JOSETests", dependencies: ["CTokenSecurityLibJWT", "JOSE", "TokenSecurityVectorFiles"],
      swiftSettings: strict),
    .testTarget(
      name: "SigV4Tests",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "SigV4", "TokenLifetime", "TokenSecurityVectorFiles",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OneTimeCodesTests",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "OneTimeCodes", "TokenSecurityVectorFiles",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OTPQRCodeTests", dependencies: ["TokenSecurityCrypto", "TokenSecurityEncodings", "OTPQRCode"],
      swiftSettings: strict),
    .testTarget(
      name: "PasswordPreparationTests", dependencies: ["TokenSecurityCrypto", "PasswordPreparation"],
      swiftSettings: strict),
    .testTarget(
      name: "SecureRemotePasswordTests",
      dependencies: [
        "TokenSecurityCrypto", "TokenSecurityEncodings", "SecureRemotePassword", "TokenSecurityVectorFiles",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SigV4HTTPTypesTests",
      dependencies: [
        "TokenSecurityCrypto", "SigV4", "SigV4HTTPTypes",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], swiftSettings: strict),
    .testTarget(
      name: "SigV4CredentialsTests", dependencies: ["TokenSecurityCrypto", "SigV4", "SigV4Credentials"],
      swiftSettings: strict),
    .testTarget(
      name: "OpenIDConnectTests",
      dependencies: [
        "TokenSecurityEncodings", "JOSE", "OpenIDConnect", "TokenSecurityVectorFiles",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ], swiftSettings: strict),
    .testTarget(
      name: "OpenIDConnectHTTPTests",
      dependencies: [
        "TokenSecurityEncodings", "JOSE", "OpenIDConnectHTTP", "verify-token", "verify-token-fetch",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CognitoIdentityTests",
      dependencies: [
        "CognitoIdentity", "CognitoIdentitySQLite", "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE",
        "OpenIDConnect",
        "SigV4", "TokenLifetime", "TokenSecurityVectorFiles", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CognitoIdentityClientTests",
      dependencies: ["CognitoIdentityClient", "TokenSecurityCrypto", "TokenSecurityEncodings", "SigV4"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "TokenSecurityEncodings", "verify-token", "verify-token-fetch", "verify-token-qr",
        "TokenSecurityVectorFiles",
      ],
      exclude: ["Transcripts"], swiftSettings: strict),
    .testTarget(
      name: "TokenLifetimeTests", dependencies: ["TokenLifetime"], swiftSettings: strict),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: [
        "CognitoIdentity", "CognitoIdentityClient", "JOSE", "OneTimeCodes", "OpenIDConnect",
        "PasswordPreparation",
        "SecureRemotePassword",
        "SigV4", "TokenLifetime", "TokenSecurityVectorFiles",
      ],
      swiftSettings: strict),
  ]
)
