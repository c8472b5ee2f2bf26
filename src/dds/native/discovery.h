#pragma once

#include <dds/dds.h>
#include <napi.h>

namespace hlc {

/**
 * What the library knows now of the domain of this participant, its own entities included: the
 * NativeDiscovery of src/dds/native.ts. Reads the library's built-in topics, which it fills from
 * what others announce (OMG DDS 1.4, section 2.2.5).
 * @throws Napi::Error when the participant is closed.
 */
Napi::Object discovered(Napi::Env env, dds_entity_t participant);

}  // namespace hlc
