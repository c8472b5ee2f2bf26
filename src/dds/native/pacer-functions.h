#pragma once

#include <napi.h>

namespace hlc {

/** Adds the functions of `PacerBinding` (src/dds/native.ts). */
void export_pacer_functions(Napi::Object& exports);

}  // namespace hlc
