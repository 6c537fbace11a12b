#!/bin/sh
# Makes Vectors/keys/rsa-signing.pem with OpenSSL's command: 48 RSA keys of 2,048 bits, which tests use instead of new ones;
# and rsa-4104.pem.
# The keys serve nothing but tests. Run it in Vectors/keys.
set -eu
number=0
while [ "$number" -lt 48 ]; do
  openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048
  number=$((number + 1))
done >rsa-signing.pem
# Too long for a ring of signing keys.
openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:4104 -out rsa-4104.pem
