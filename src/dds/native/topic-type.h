#pragma once

#include <dds/dds.h>

#include <string>

namespace hlc {

/** @return the type of this name in idl/, or nullptr */
const dds_topic_descriptor_t* find_topic_type(const std::string& name);

/** @return the type of a topic, or nullptr when the entity is none */
const dds_topic_descriptor_t* type_of(dds_entity_t topic);

}  // namespace hlc
