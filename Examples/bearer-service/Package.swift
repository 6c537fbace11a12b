// swift-tools-version: 6.3
import PackageDescription

// A package of its own, as a service that links the toolkit would be.
let package = Package(
  name: "bearer-service",
  dependencies: [
    .package(name: "token-security", path: "../..", traits: ["AsyncHTTPTransport", "OpenIDConnect"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .target(
      name: "BearerService",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "OpenIDConnect", package: "token-security"),
      ]),
    .executableTarget(
      name: "bearer-service",
      dependencies: [
        "BearerService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncHTTPTransport", package: "token-security"),
        .product(name: "OpenIDConnect", package: "token-security"),
      ]),
    .testTarget(
      name: "BearerServiceTests",
      dependencies: ["BearerService", .product(name: "HummingbirdTesting", package: "hummingbird")]),
  ]
)
