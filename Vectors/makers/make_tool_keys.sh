#!/bin/sh
# Makes the keys of Vectors/keys/ in forms that tools other than OpenSSL's command write. certtool of GnuTLS 3.7.9 writes the
# secret number of an EC key as the contents of an INTEGER, with a zero byte before a number whose first bit is set.
# rfc8410-attributes.pem is the second key of RFC 8410, section 10.3. The keys serve nothing but tests. Run it in Vectors/keys.
set -eu
# Makes keys until the number's length, on line $2 of its structure, is $3.
until_length() {
  while :; do
    certtool --generate-privkey --key-type ecdsa --no-text --curve "$4" $5 --outfile "$1" 2>/dev/null
    openssl asn1parse -in "$1" $6 | sed -n "$2p" | grep -q "l= *$3 " && return
  done
}
until_length gnutls-p256-sec1.pem 3 33 secp256r1 "" ""
until_length gnutls-p384-sec1.pem 3 49 secp384r1 "" ""
until_length gnutls-p521-sec1.pem 3 65 secp521r1 "" ""
until_length gnutls-p256-pkcs8.pem 3 33 secp256r1 "--pkcs8 --password=" "-strparse 27"
openssl req -x509 -new -key rsa-pkcs1.pem -subj /CN=test -days 36500 -out /tmp/certificate.pem
openssl pkcs12 -export -inkey rsa-pkcs1.pem -in /tmp/certificate.pem -name "my key" -passout pass: |
  openssl pkcs12 -nodes -passin pass: > rsa-bag.pem
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /tmp/root.key -subj /CN=root -days 36500 -out chain-root.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /tmp/intermediate.key -subj /CN=intermediate |
  openssl x509 -req -CA chain-root.pem -CAkey /tmp/root.key -CAcreateserial -CAserial /tmp/serial -days 36500 -out chain-intermediate.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /tmp/leaf.key -subj /CN=leaf |
  openssl x509 -req -CA chain-intermediate.pem -CAkey /tmp/intermediate.key -CAserial /tmp/serial -days 36500 -out chain-leaf.pem
