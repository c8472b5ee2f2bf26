#pragma once

#include <dds/dds.h>

namespace hlc {

/**
 * Makes a topic, also with a dot in its name. Only the function of Cyclone DDS 0.10 that makes topics
 * refuses dots (docs/design/0013-topic-names-with-dots.md).
 */
dds_entity_t create_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                          const char* name);

}  // namespace hlc
