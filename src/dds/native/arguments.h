#pragma once

#include <dds/dds.h>
#include <napi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "context.h"

namespace hlc {

// The arguments of the functions of the add-on; each of these throws a JavaScript exception when the
// argument is of another kind.

/** What one JavaScript environment has of the add-on. */
struct Environment {
  std::unique_ptr<Context> context;
};

Napi::Error dds_error(Napi::Env env, dds_return_t code);

Environment& environment(Napi::Env env);
Context& context(const Napi::CallbackInfo& info);

int32_t integer(const Napi::CallbackInfo& info, size_t index);
double number(const Napi::CallbackInfo& info, size_t index);
std::string text(const Napi::CallbackInfo& info, size_t index);
Napi::Object object(const Napi::CallbackInfo& info, size_t index);
Napi::Uint8Array bytes(const Napi::CallbackInfo& info, size_t index);
/** A list of 64-bit integers. */
Napi::BigInt64Array integers(const Napi::CallbackInfo& info, size_t index);
int64_t nanoseconds(const Napi::CallbackInfo& info, size_t index);
/** From 0 to one day, so that sums with it fit 64 bits. */
int64_t duration(const Napi::CallbackInfo& info, size_t index);

}  // namespace hlc
