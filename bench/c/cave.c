#include "cave.h"

#include <string.h>

uint8_t *put_varint(uint8_t *at, uint64_t value) {
  while (value > 0x7f) {
    *at++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}

const uint8_t *get_varint(const uint8_t *at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; at < end && shift < 64; shift += 7) {
    *value |= (uint64_t)(*at & 0x7f) << shift;
    if (*at++ < 0x80) return at;
  }
  return NULL;
}

static uint8_t *put_integer(uint8_t *at, int field, uint64_t value) {
  return put_varint(put_varint(at, (uint64_t)field << 3), value);
}

static uint8_t *put_double(uint8_t *at, int field, double value) {
  *at++ = (uint8_t)(field << 3 | 1);
  memcpy(at, &value, sizeof value);
  return at + sizeof value;
}

/* A message of `count` doubles, the first of which has this value. */
static uint8_t *put_doubles(uint8_t *at, int field, int count, double first) {
  at = put_varint(at, (uint64_t)field << 3 | 2);
  *at++ = (uint8_t)(9 * count);
  for (int i = 0; i < count; i++) at = put_double(at, i + 1, i == 0 ? first : 0);
  return at;
}

uint8_t *put_vehicle(uint8_t *at, int32_t connection, int32_t id, double ch_time) {
  at = put_integer(at, 1, 1);
  at = put_integer(at, 2, (uint64_t)connection);
  at = put_integer(at, 3, (uint64_t)id);
  at = put_double(at, 4, ch_time);
  at = put_double(at, 5, 1);
  /* The chassis and four wheels: places, then rotations. */
  for (int field = 6; field < 11; field++) at = put_doubles(at, field, 3, ch_time);
  for (int field = 11; field < 16; field++) at = put_doubles(at, field, 4, 1);
  return at;
}
