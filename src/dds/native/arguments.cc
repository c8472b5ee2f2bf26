#include "arguments.h"

namespace hlc {

namespace {

constexpr int64_t max_duration_ns = 86'400'000'000'000;

bool is_array_of(const Napi::Value& value, napi_typedarray_type type) {
  return value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == type;
}

}  // namespace

Napi::Error dds_error(Napi::Env env, dds_return_t code) {
  return Napi::Error::New(env, dds_strretcode(-code));
}

Environment& environment(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

Context& context(const Napi::CallbackInfo& info) {
  auto& current = environment(info.Env()).context;
  if (!current) throw Napi::Error::New(info.Env(), "the DDS context is closed");
  return *current;
}

int32_t integer(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsNumber()) throw Napi::TypeError::New(info.Env(), "a number is expected");
  return info[index].As<Napi::Number>().Int32Value();
}

double number(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsNumber()) throw Napi::TypeError::New(info.Env(), "a number is expected");
  return info[index].As<Napi::Number>().DoubleValue();
}

std::string text(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsString()) throw Napi::TypeError::New(info.Env(), "a string is expected");
  return info[index].As<Napi::String>().Utf8Value();
}

Napi::Object object(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsObject()) throw Napi::TypeError::New(info.Env(), "an object is expected");
  return info[index].As<Napi::Object>();
}

Napi::Uint8Array bytes(const Napi::CallbackInfo& info, size_t index) {
  if (!is_array_of(info[index], napi_uint8_array)) {
    throw Napi::TypeError::New(info.Env(), "a Uint8Array is expected");
  }
  return info[index].As<Napi::Uint8Array>();
}

Napi::BigInt64Array integers(const Napi::CallbackInfo& info, size_t index) {
  if (!is_array_of(info[index], napi_bigint64_array)) {
    throw Napi::TypeError::New(info.Env(), "a BigInt64Array is expected");
  }
  return info[index].As<Napi::BigInt64Array>();
}

int64_t nanoseconds(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsBigInt()) throw Napi::TypeError::New(info.Env(), "a bigint is expected");
  bool lossless = false;
  const int64_t ns = info[index].As<Napi::BigInt>().Int64Value(&lossless);
  if (!lossless) throw Napi::RangeError::New(info.Env(), "the time does not fit 64 bits");
  return ns;
}

int64_t duration(const Napi::CallbackInfo& info, size_t index) {
  const int64_t ns = nanoseconds(info, index);
  if (ns < 0 || ns > max_duration_ns) {
    throw Napi::RangeError::New(info.Env(), "a duration is from 0 to 86400 s");
  }
  return ns;
}

}  // namespace hlc
