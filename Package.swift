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
    .library(name: "OTP", targets: ["OTP"]),
    .library(name: "OTPQRCode", targets: ["OTPQRCode"]),
    .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
    .library(name: "OpenIDConnectHTTP", targets: ["OpenIDConnectHTTP"]),
    .library(name: "SigV4", targets: ["SigV4"]),
    .library(name: "SigV4Credentials", targets: ["SigV4Credentials"]),
    .library(name: "SigV4HTTPTypes", targets: ["SigV4HTTPTypes"]),
    .library(name: "PasswordPreparation", targets: ["PasswordPreparation"]),
    .library(name: "SRP", targets: ["SRP"]),
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
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CStringprep", pkgConfig: "libidn", providers: [.apt(["libidn-dev"])]),
    .target(name: "Encodings", swiftSettings: strict),
    .target(name: "TokenLifetime", swiftSettings: strict),
    .target(
      name: "CryptoPrimitives", dependencies: ["COpenSSL", "Encodings"], swiftSettings: strict),
    .target(
      name: "JOSE", dependencies: ["CryptoPrimitives", "Encodings", "TokenLifetime"], swiftSettings: strict),
    .target(
      name: "SigV4", dependencies: ["CryptoPrimitives", "Encodings", "TokenLifetime"], swiftSettings: strict),
    .target(name: "OTP", dependencies: ["CryptoPrimitives", "Encodings"], swiftSettings: strict),
    .target(
      name: "OTPQRCode", dependencies: ["CQRencode", "CryptoPrimitives", "Encodings"], swiftSettings: strict),
    .target(
      name: "PasswordPreparation", dependencies: ["CStringprep", "CryptoPrimitives"], swiftSettings: strict),
    .target(name: "SRP", dependencies: ["CryptoPrimitives", "Encodings"], swiftSettings: strict),
    .target(
      name: "SigV4Credentials",
      dependencies: [
        "CryptoPrimitives", "Encodings", "SigV4",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: strict),
    .target(
      name: "SigV4HTTPTypes",
      dependencies: ["Encodings", "SigV4", .product(name: "HTTPTypes", package: "swift-http-types")],
      swiftSettings: strict
    ),
    .target(
      name: "OpenIDConnect",
      dependencies: [
        "CryptoPrimitives", "Encodings", "JOSE", "TokenLifetime",
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
      dependencies: ["CryptoPrimitives", "Encodings", "JOSE", "OpenIDConnect", "SigV4", "TokenLifetime"],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentitySQLite",
      dependencies: ["CognitoIdentity", "Encodings", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentityClient", dependencies: ["CryptoPrimitives", "Encodings", "SigV4"],
      swiftSettings: strict),
    .target(
      name: "CognitoIdentityClientHTTP",
      dependencies: [
        "CognitoIdentityClient", "CryptoPrimitives",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "identity-service",
      dependencies: [
        "CognitoIdentity", "CognitoIdentitySQLite", "CryptoPrimitives", "Encodings", "JOSE", "OpenIDConnect",
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
        "CryptoPrimitives", "Encodings", "JOSE", "OTP", "OpenIDConnect", "SigV4", "TokenLifetime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    .executableTarget(
      name: "verify-token-fetch", dependencies: ["Encodings", "OpenIDConnect", "OpenIDConnectHTTP"],
      swiftSettings: strict),

    .executableTarget(
      name: "verify-token-qr", dependencies: ["CryptoPrimitives", "OTPQRCode"], swiftSettings: strict),

    .executableTarget(
      name: "token-maker", dependencies: ["JOSE"], path: "Tests/Interop/TokenMaker", swiftSettings: strict),
    .executableTarget(
      name: "request-peer", dependencies: ["CryptoPrimitives", "Encodings", "SigV4", "SigV4Credentials"],
      path: "Tests/Interop/RequestPeer", swiftSettings: strict),
    .executableTarget(
      name: "identity-peer",
      dependencies: ["CognitoIdentityClient", "CognitoIdentityClientHTTP", "CryptoPrimitives", "Encodings"],
      path: "Tests/Interop/IdentityPeer", swiftSettings: strict),
    .executableTarget(
      name: "sign-in-peer", dependencies: ["CryptoPrimitives", "Encodings", "OTP", "SRP"],
      path: "Tests/Interop/SignInPeer", swiftSettings: strict),
    .target(name: "CMarks", path: "Tests/Instructions/CMarks"),
    .executableTarget(
      name: "instruction-probe",
      dependencies: [
        "CMarks", "CognitoIdentity", "CognitoIdentityClient", "CryptoPrimitives", "Encodings", "JOSE", "OTP",
        "OpenIDConnect", "SRP", "SigV4",
      ], path: "Tests/Instructions/Probe", swiftSettings: strict),
    .systemLibrary(
      name: "CLibJWT", path: "Tests/CLibJWT", pkgConfig: "libjwt", providers: [.apt(["libjwt-dev"])]
    ),
    .target(
      name: "VectorFiles", dependencies: ["Encodings"], path: "Tests/VectorFiles", swiftSettings: strict),
    .testTarget(
      name: "EncodingsTests", dependencies: ["Encodings", "VectorFiles"], swiftSettings: strict),
    .testTarget(
      name: "CryptoPrimitivesTests", dependencies: ["CryptoPrimitives", "Encodings"],
      swiftSettings: strict),
    .testTarget(
      name: "JOSETests", dependencies: ["CLibJWT", "JOSE", "VectorFiles"], swiftSettings: strict),
    .testTarget(
      name: "SigV4Tests",
      dependencies: ["CryptoPrimitives", "Encodings", "SigV4", "TokenLifetime", "VectorFiles"],
      swiftSettings: strict),
    .testTarget(
      name: "OTPTests", dependencies: ["CryptoPrimitives", "Encodings", "OTP", "VectorFiles"],
      swiftSettings: strict),
    .testTarget(
      name: "OTPQRCodeTests", dependencies: ["CryptoPrimitives", "Encodings", "OTPQRCode"],
      swiftSettings: strict),
    .testTarget(
      name: "PasswordPreparationTests", dependencies: ["CryptoPrimitives", "PasswordPreparation"],
      swiftSettings: strict),
    .testTarget(
      name: "SRPTests", dependencies: ["CryptoPrimitives", "Encodings", "SRP", "VectorFiles"],
      swiftSettings: strict),
    .testTarget(
      name: "SigV4HTTPTypesTests",
      dependencies: [
        "CryptoPrimitives", "SigV4", "SigV4HTTPTypes",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ], swiftSettings: strict),
    .testTarget(
      name: "SigV4CredentialsTests", dependencies: ["CryptoPrimitives", "SigV4", "SigV4Credentials"],
      swiftSettings: strict),
    .testTarget(
      name: "OpenIDConnectTests",
      dependencies: [
        "Encodings", "JOSE", "OpenIDConnect", "VectorFiles", .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ], swiftSettings: strict),
    .testTarget(
      name: "OpenIDConnectHTTPTests",
      dependencies: [
        "Encodings", "JOSE", "OpenIDConnectHTTP", "verify-token", "verify-token-fetch",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CognitoIdentityTests",
      dependencies: [
        "CognitoIdentity", "CognitoIdentitySQLite", "CryptoPrimitives", "Encodings", "JOSE", "OpenIDConnect",
        "SigV4", "TokenLifetime", "VectorFiles", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "CognitoIdentityClientTests",
      dependencies: ["CognitoIdentityClient", "CryptoPrimitives", "Encodings", "SigV4"], swiftSettings: strict
    ),
    .testTarget(
      name: "CommandTests",
      dependencies: ["Encodings", "verify-token", "verify-token-fetch", "verify-token-qr", "VectorFiles"],
      exclude: ["Transcripts"], swiftSettings: strict),
    .testTarget(
      name: "TokenLifetimeTests", dependencies: ["TokenLifetime"], swiftSettings: strict),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: [
        "CognitoIdentity", "CognitoIdentityClient", "JOSE", "OTP", "OpenIDConnect", "PasswordPreparation",
        "SRP",
        "SigV4", "TokenLifetime", "VectorFiles",
      ],
      swiftSettings: strict),
  ]
)
