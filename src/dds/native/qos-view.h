#pragma once

#include <dds/dds.h>
#include <napi.h>

namespace hlc {

/**
 * The policies that decide whether a reader and a writer fit each other, as the DiscoveredQos of
 * src/ports/discovery.ts. A policy that `qos` does not have is left out.
 */
Napi::Object qos_view(Napi::Env env, const dds_qos_t* qos);

}  // namespace hlc
