#!/bin/sh
# Makes Vectors/keys/ with OpenSSL's command: each form that a key file may have, and forms that must be refused.
# The keys serve nothing but tests. Run it in Vectors/keys.
set -eu
openssl genrsa -traditional -out rsa-pkcs1.pem 2048
openssl rsa -in rsa-pkcs1.pem -RSAPublicKey_out -out rsa-pkcs1-public.pem
openssl rsa -in rsa-pkcs1.pem -pubout -out rsa-spki.pem
openssl pkcs8 -topk8 -nocrypt -in rsa-pkcs1.pem -out rsa-pkcs8.pem
openssl req -x509 -new -key rsa-pkcs1.pem -subj /CN=test -days 36500 -out rsa-certificate.pem
openssl ecparam -name prime256v1 -genkey -out ec-sec1.pem
openssl ec -in ec-sec1.pem -pubout -out ec-spki.pem
openssl pkcs8 -topk8 -nocrypt -in ec-sec1.pem -out ec-pkcs8.pem
openssl ecparam -name secp256k1 -genkey -noout -out secp256k1-sec1.pem
openssl genpkey -algorithm ed25519 -out ed25519-pkcs8.pem
openssl genpkey -algorithm ed448 | openssl pkey -pubout -out ed448-spki.pem
# Refused.
openssl genrsa 1024 | openssl rsa -pubout -out rsa-1024.pem
openssl pkcs8 -topk8 -in ec-sec1.pem -passout pass:x -out encrypted-pkcs8.pem
openssl rsa -traditional -aes128 -in rsa-pkcs1.pem -passout pass:x -out encrypted-pkcs1.pem
openssl ecparam -name prime256v1 -param_enc explicit -genkey -noout | openssl ec -param_enc explicit -pubout -out ec-explicit.pem
openssl dsaparam -genkey 2048 | openssl dsa -pubout -out dsa.pem
openssl genpkey -algorithm rsa-pss -pkeyopt rsa_keygen_bits:2048 | openssl pkey -pubout -out rsa-pss.pem
openssl genpkey -algorithm x25519 | openssl pkey -pubout -out x25519.pem
openssl ecparam -name brainpoolP256r1 -genkey -noout | openssl ec -pubout -out brainpool.pem
