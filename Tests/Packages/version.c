/* Prints the version of the library that it is linked with. */
#include <stdio.h>
#include <tokensecurity.h>

int main(void) {
  puts(ts_version());
  return 0;
}
