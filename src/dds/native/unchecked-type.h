#pragma once

#include <dds/dds.h>

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

}  // namespace hlc
