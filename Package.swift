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
    .library(name: "JOSE", targets: ["JOSE"]),
    .library(name: "TokenLifetime", targets: ["TokenLifetime"]),
    .executable(name: "verify-token", targets: ["verify-token"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Encodings", swiftSettings: strict),
    .target(name: "TokenLifetime", swiftSettings: strict),
    .target(
      name: "CryptoPrimitives", dependencies: ["COpenSSL", "Encodings"], swiftSettings: strict),
    .target(
      name: "JOSE", dependencies: ["CryptoPrimitives", "Encodings", "TokenLifetime"], swiftSettings: strict),
    .executableTarget(
      name: "verify-token",
      dependencies: [
        "CryptoPrimitives", "Encodings", "JOSE", "TokenLifetime",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    .executableTarget(
      name: "token-maker", dependencies: ["JOSE"], path: "Tests/Interop/TokenMaker", swiftSettings: strict),
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
      name: "CommandTests", dependencies: ["Encodings", "verify-token", "VectorFiles"],
      exclude: ["Transcripts"], swiftSettings: strict),
    .testTarget(
      name: "TokenLifetimeTests", dependencies: ["TokenLifetime"], swiftSettings: strict),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["JOSE", "VectorFiles"], swiftSettings: strict),
  ]
)
