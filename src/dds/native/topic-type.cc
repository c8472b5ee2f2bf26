#include "topic-type.h"

#include "descriptors.h"

namespace hlc {

const dds_topic_descriptor_t* find_topic_type(const std::string& name) {
  for (unsigned i = 0; i < hlc_topic_type_count; i++) {
    if (name == hlc_topic_types[i].name) return hlc_topic_types[i].descriptor;
  }
  return nullptr;
}

const dds_topic_descriptor_t* type_of(dds_entity_t topic) {
  char name[256] = "";
  dds_get_type_name(topic, name, sizeof name);
  return find_topic_type(name);
}

}  // namespace hlc
