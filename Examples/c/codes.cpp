// A one-time code in C++: handles are owned by values, which free them.
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <tokensecurity.h>

namespace {

struct Free {
    void operator()(ts_error *error) const { ts_error_free(error); }
    void operator()(ts_buffer *buffer) const { ts_buffer_free(buffer); }
};

using Error = std::unique_ptr<ts_error, Free>;
using Buffer = std::unique_ptr<ts_buffer, Free>;

Buffer code(const char *secret, int digits, int64_t time) {
    ts_buffer *buffer = nullptr;
    ts_error *error = nullptr;
    ts_totp_code(reinterpret_cast<const uint8_t *>(secret), std::strlen(secret), "SHA1", digits, 30, time, &buffer, &error);
    Error owned(error);
    if (owned) throw std::runtime_error(ts_error_message(owned.get()));
    return Buffer(buffer);
}

}  // namespace

int main() {
    // RFC 6238, appendix B.
    std::printf("%s\n", reinterpret_cast<const char *>(ts_buffer_bytes(code("12345678901234567890", 8, 59).get())));
    try {
        code("short", 8, 59);
        return 1;
    } catch (const std::runtime_error &refused) {
        std::printf("%s\n", refused.what());
    }
}
