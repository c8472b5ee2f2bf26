#pragma once

#include <cstddef>
#include <cstdint>

namespace hlc {

/** Octets of the encapsulation header (OMG DDSI-RTPS 2.5, section 10.2). */
constexpr size_t encapsulation_bytes = 4;

/** True when the bytes begin with the header of plain CDR, version 1. */
inline bool is_plain_cdr(const uint8_t* cdr, size_t bytes) {
  // 0x0000 big endian, 0x0001 little endian.
  return bytes >= encapsulation_bytes && cdr[0] == 0 && cdr[1] <= 1;
}

}  // namespace hlc
