#pragma once

/* The CAVE protocol as far as the programs of the benchmark need it. */
#include <stddef.h>
#include <stdint.h>

enum { cave_packet = 7, cave_request = 8, cave_accept = 9 };

/* A datagram with elements is at most so long. */
enum { longest_datagram = 60000 };

/* Appends a varint. @returns the place after it. */
uint8_t *put_varint(uint8_t *at, uint64_t value);

/* Reads a varint. @returns the place after it; NULL when it goes beyond the end. */
const uint8_t *get_varint(const uint8_t *at, const uint8_t *end, uint64_t *value);

/* Appends a VehicleMessage. @returns the place after it. */
uint8_t *put_vehicle(uint8_t *at, int32_t connection, int32_t id, double ch_time);
