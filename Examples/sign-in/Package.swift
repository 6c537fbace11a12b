// swift-tools-version: 6.3
import PackageDescription

// A package of its own, as a program that links the toolkit would be.
let package = Package(
  name: "sign-in",
  dependencies: [
    .package(name: "token-security", path: "../..", traits: ["AsyncHTTPTransport", "OpenIDConnect"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "sign-in",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncHTTPTransport", package: "token-security"),
        .product(name: "CognitoIdentityClient", package: "token-security"),
        .product(name: "CognitoUserPoolClient", package: "token-security"),
        .product(name: "OTPQRCode", package: "token-security"),
        .product(name: "SigV4", package: "token-security"),
      ])
  ]
)
