#pragma once

#include <dds/dds.h>

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace hlc {

/** True for a type without key, and for one whose key is its first member, a single octet. */
bool can_be_unchecked(const dds_topic_descriptor_t& type);

/**
 * Makes a topic whose samples the library carries without looking into them: they are coded and
 * decoded by src/messages, with every length checked, so a check by the library against the same type
 * says nothing new and costs more than all the rest of sending a long start signal. On the wire
 * nothing differs from `dds_create_topic`.
 * @param type one that `can_be_unchecked`
 */
dds_entity_t create_unchecked_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                                    const char* name);

/**
 * Keeps the instances of a writer of an unchecked topic in the library's table of instances. Without
 * it, the library makes the instance anew for each sample, and another of its threads frees it. Nothing
 * is sent for it. The table has one per key at most, and keeps it until the domain is closed.
 */
class KeptInstances {
 public:
  /** @param type one that `can_be_unchecked`; without this call nothing is kept */
  void open(dds_entity_t writer, const dds_topic_descriptor_t& type);
  /** Call before a sample is written. */
  void keep(const uint8_t* cdr, size_t bytes);

 private:
  void keep(uint8_t key);

  dds_entity_t writer_ = 0;
  /** Keys whose instances are still to be kept. */
  std::bitset<256> due_;
};

}  // namespace hlc
