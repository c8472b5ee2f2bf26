#pragma once

#include <dds/dds.h>

/** One type that topics can have; the table is made from idl/ by the build. */
typedef struct hlc_topic_type {
  const char* name;
  const dds_topic_descriptor_t* descriptor;
} hlc_topic_type;

#ifdef __cplusplus
extern "C" {
#endif

extern const hlc_topic_type hlc_topic_types[];
extern const unsigned hlc_topic_type_count;

#ifdef __cplusplus
}
#endif
