// The functions that src/dds/native.ts declares. Each checks its arguments, calls the context and
// turns a negative DDS return code into an Error whose message is the library's text for it.

#include <dds/dds.h>
#include <dds/version.h>
#include <napi.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "clock-state.h"
#include "clocks.h"
#include "context.h"
#include "descriptors.h"
#include "discovery.h"
#include "log-sink.h"
#include "qos.h"
#include "scheduling.h"

namespace hlc {

namespace {

struct Environment {
  std::unique_ptr<Context> context;
};

Napi::Error dds_error(Napi::Env env, dds_return_t code) {
  return Napi::Error::New(env, dds_strretcode(-code));
}

Napi::Value checked_handle(Napi::Env env, dds_entity_t entity) {
  if (entity < 0) throw dds_error(env, entity);
  return Napi::Number::New(env, entity);
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

std::string text(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsString()) throw Napi::TypeError::New(info.Env(), "a string is expected");
  return info[index].As<Napi::String>().Utf8Value();
}

Napi::Object object(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsObject()) throw Napi::TypeError::New(info.Env(), "an object is expected");
  return info[index].As<Napi::Object>();
}

Napi::Uint8Array bytes(const Napi::CallbackInfo& info, size_t index) {
  const bool is_bytes = info[index].IsTypedArray() &&
                        info[index].As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array;
  if (!is_bytes) throw Napi::TypeError::New(info.Env(), "a Uint8Array is expected");
  return info[index].As<Napi::Uint8Array>();
}

int64_t nanoseconds(const Napi::CallbackInfo& info, size_t index) {
  if (!info[index].IsBigInt()) throw Napi::TypeError::New(info.Env(), "a bigint is expected");
  bool lossless = false;
  const int64_t ns = info[index].As<Napi::BigInt>().Int64Value(&lossless);
  if (!lossless) throw Napi::RangeError::New(info.Env(), "the time does not fit 64 bits");
  return ns;
}

const dds_topic_descriptor_t& topic_type(const Napi::CallbackInfo& info, size_t index) {
  const std::string name = text(info, index);
  for (unsigned i = 0; i < hlc_topic_type_count; i++) {
    if (name == hlc_topic_types[i].name) return *hlc_topic_types[i].descriptor;
  }
  throw Napi::Error::New(info.Env(), "no type of this name in idl/: " + name);
}

void open(const Napi::CallbackInfo& info) {
  auto& current = environment(info.Env());
  if (current.context) throw Napi::Error::New(info.Env(), "the DDS context is already open");
  if (!info[0].IsFunction()) throw Napi::TypeError::New(info.Env(), "a function is expected");
  current.context = std::make_unique<Context>(info.Env(), info[0].As<Napi::Function>(),
                                              static_cast<size_t>(integer(info, 1)),
                                              info[2].ToBoolean());
}

void close(const Napi::CallbackInfo& info) { environment(info.Env()).context.reset(); }

Napi::Value create_domain(const Napi::CallbackInfo& info) {
  const auto id = static_cast<dds_domainid_t>(integer(info, 0));
  take_last_log_text();
  std::vector<std::string> addresses;
  dds_entity_t domain = DDS_RETCODE_ERROR;
  try {
    domain = context(info).create_domain(id, text(info, 1).c_str(), info[2].ToBoolean(), addresses);
  } catch (const std::system_error& error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
  if (domain > 0) {
    const auto list = Napi::Array::New(info.Env(), addresses.size());
    for (uint32_t i = 0; i < addresses.size(); i++) list.Set(i, addresses[i]);
    const auto made = Napi::Object::New(info.Env());
    made.Set("entity", Napi::Number::New(info.Env(), domain));
    made.Set("addresses", list);
    return made;
  }
  const std::string reason = take_last_log_text();
  throw reason.empty() ? dds_error(info.Env(), domain) : Napi::Error::New(info.Env(), reason);
}

Napi::Value create_participant(const Napi::CallbackInfo& info) {
  const auto domain = static_cast<dds_domainid_t>(integer(info, 0));
  const QosPtr qos = read_qos(object(info, 1));
  if (info[2].IsString()) dds_qset_entity_name(qos.get(), text(info, 2).c_str());
  return checked_handle(info.Env(), context(info).create_participant(domain, qos.get()));
}

Napi::Value create_topic(const Napi::CallbackInfo& info) {
  return checked_handle(info.Env(),
                        context(info).create_topic(integer(info, 0), topic_type(info, 1),
                                                   text(info, 2).c_str()));
}

Napi::Value create_reader(const Napi::CallbackInfo& info) {
  const QosPtr qos = read_qos(object(info, 2));
  ReaderOptions options;
  options.ignore_reliable_writers = info[3].ToBoolean();
  options.max_sample_bytes = static_cast<uint32_t>(integer(info, 4));
  return checked_handle(info.Env(), context(info).create_reader(integer(info, 0), integer(info, 1),
                                                                qos.get(), options));
}

Napi::Value create_writer(const Napi::CallbackInfo& info) {
  const QosPtr qos = read_qos(object(info, 2));
  return checked_handle(info.Env(), context(info).create_writer(integer(info, 0), integer(info, 1),
                                                                qos.get(), topic_type(info, 3)));
}

void close_entity(const Napi::CallbackInfo& info) {
  context(info).close_entity(integer(info, 0));
}

Writer& writer(const Napi::CallbackInfo& info) {
  Writer* found = context(info).writer(integer(info, 0));
  if (found == nullptr) throw dds_error(info.Env(), DDS_RETCODE_ALREADY_DELETED);
  return *found;
}

void write(const Napi::CallbackInfo& info) {
  const auto sample = bytes(info, 1);
  const dds_return_t result = writer(info).write(sample.Data(), sample.ByteLength());
  if (result < 0) throw dds_error(info.Env(), result);
}

void dispose(const Napi::CallbackInfo& info) {
  const auto sample = bytes(info, 1);
  const dds_return_t result = writer(info).dispose(sample.Data(), sample.ByteLength());
  if (result < 0) throw dds_error(info.Env(), result);
}

Napi::Value matched_participants(const Napi::CallbackInfo& info) {
  const auto prefixes = writer(info).matched_participants();
  const auto list = Napi::Array::New(info.Env(), prefixes.size());
  uint32_t next = 0;
  for (const auto& prefix : prefixes) list.Set(next++, prefix);
  return list;
}

Napi::Value discovered_entities(const Napi::CallbackInfo& info) {
  context(info);
  return discovered(info.Env(), integer(info, 0));
}

Napi::Value stalls(const Napi::CallbackInfo& info) {
  const Reader* found = context(info).reader(integer(info, 0));
  return Napi::Number::New(info.Env(), found == nullptr ? 0 : found->stalls());
}

Napi::Value guid(const Napi::CallbackInfo& info) {
  dds_guid_t id;
  const dds_return_t result = dds_get_guid(integer(info, 0), &id);
  if (result < 0) throw dds_error(info.Env(), result);
  return Napi::Buffer<uint8_t>::Copy(info.Env(), id.v, sizeof id.v);
}

void arm_pacer(const Napi::CallbackInfo& info) {
  context(info).pacer().arm(nanoseconds(info, 0));
}

uint32_t count(const Napi::CallbackInfo& info, size_t index) {
  return static_cast<uint32_t>(std::max(0, integer(info, index)));
}

void prepare_start(const Napi::CallbackInfo& info) {
  const auto sample = bytes(info, 1);
  PreparedStart prepared;
  prepared.writer = integer(info, 0);
  prepared.sample.assign(sample.Data(), sample.Data() + sample.ByteLength());
  prepared.period_time_ns = static_cast<uint64_t>(nanoseconds(info, 2));
  prepared.due_ns = nanoseconds(info, 3);
  prepared.period_ns = nanoseconds(info, 4);
  prepared.grace_ns = nanoseconds(info, 5);
  prepared.left = count(info, 6);
  const ClockReading now = read_both_clocks();
  prepared.ahead_ns = now.realtime_ns - now.monotonic_ns;
  context(info).pacer().prepare_start(std::move(prepared));
}

Napi::Value claim(const Napi::CallbackInfo& info) {
  const bool claimed = context(info).pacer().claim(nanoseconds(info, 0), count(info, 1));
  return Napi::Boolean::New(info.Env(), claimed);
}

void cancel_start(const Napi::CallbackInfo& info) { context(info).pacer().cancel_start(); }

Napi::Value make_realtime_threads(const Napi::CallbackInfo& info) {
  const int error = make_realtime(integer(info, 0), context(info).pacer().thread());
  if (error == 0) return info.Env().Undefined();
  const char* text = error == ENOMEM ? "the limit on locked memory is too low" : std::strerror(error);
  return Napi::String::New(info.Env(), text);
}

void disarm_pacer(const Napi::CallbackInfo& info) { context(info).pacer().disarm(); }

Napi::Value read_monotonic(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), monotonic_ns());
}

Napi::Value read_realtime(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), realtime_ns());
}

Napi::Value read_clock_state(const Napi::CallbackInfo& info) { return clock_state(info.Env()); }

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Environment);
  // Runs before Node takes the environment down, while the event queue can still be closed.
  env.AddCleanupHook([](Environment* ending) { ending->context.reset(); },
                     env.GetInstanceData<Environment>());
  const auto method = [&](const char* name, auto function) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  method("open", open);
  method("close", close);
  method("createDomain", create_domain);
  method("createParticipant", create_participant);
  method("createTopic", create_topic);
  method("createReader", create_reader);
  method("createWriter", create_writer);
  method("closeEntity", close_entity);
  method("write", write);
  method("dispose", dispose);
  method("matchedParticipants", matched_participants);
  method("discovered", discovered_entities);
  method("stalls", stalls);
  method("guid", guid);
  method("armPacer", arm_pacer);
  method("disarmPacer", disarm_pacer);
  method("prepareStart", prepare_start);
  method("claimStart", claim);
  method("cancelStart", cancel_start);
  method("makeRealtime", make_realtime_threads);
  method("monotonicNs", read_monotonic);
  method("realtimeNs", read_realtime);
  method("clockState", read_clock_state);
  exports.Set("cycloneVersion", Napi::String::New(env, DDS_VERSION));
  return exports;
}

}  // namespace

}  // namespace hlc

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  return hlc::initialise(env, exports);
}

NODE_API_MODULE(hlc_dds, initialise_addon)
