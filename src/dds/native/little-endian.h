#pragma once

#include <cstddef>
#include <cstdint>

namespace hlc {

constexpr size_t u64_bytes = 8;

/** Writes eight bytes, the lowest first. */
inline void put_little_endian(uint8_t* to, uint64_t value) {
  for (size_t i = 0; i < u64_bytes; i++) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace hlc
