// `SecretBytes` is what secrets come and go in, and names of algorithms are `ExactString`. Importing this module imports
// both.
@_exported public import CryptoPrimitives
@_exported public import Encodings
