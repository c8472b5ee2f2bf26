#pragma once

#include <napi.h>

namespace hlc {

/** The ClockState of src/dds/native.ts. */
Napi::Object clock_state(Napi::Env env);

}  // namespace hlc
