// The functions that src/dds/native.ts declares. Each checks its arguments, calls the context and
// turns a negative DDS return code into an Error whose message is the library's text for it.

#include <dds/dds.h>
#include <dds/version.h>
#include <napi.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "arguments.h"
#include "clock-state.h"
#include "clocks.h"
#include "context.h"
#include "discovery.h"
#include "log-sink.h"
#include "pacer-functions.h"
#include "qos.h"
#include "scheduling.h"
#include "service-socket.h"
#include "topic-type.h"

namespace hlc {

namespace {

Napi::Value checked_handle(Napi::Env env, dds_entity_t entity) {
  if (entity < 0) throw dds_error(env, entity);
  return Napi::Number::New(env, entity);
}

const dds_topic_descriptor_t& topic_type(const Napi::CallbackInfo& info, size_t index) {
  const std::string name = text(info, index);
  const dds_topic_descriptor_t* type = find_topic_type(name);
  if (type == nullptr) throw Napi::Error::New(info.Env(), "no type of this name in idl/: " + name);
  return *type;
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
  if (info[4].ToBoolean()) dds_qset_ignorelocal(qos.get(), DDS_IGNORELOCAL_PARTICIPANT);
  options.max_sample_bytes = static_cast<uint32_t>(integer(info, 5));
  return checked_handle(info.Env(), context(info).create_reader(integer(info, 0), integer(info, 1),
                                                                qos.get(), options));
}

Napi::Value create_writer(const Napi::CallbackInfo& info) {
  const QosPtr qos = read_qos(object(info, 2));
  return checked_handle(info.Env(), context(info).create_writer(integer(info, 0), integer(info, 1),
                                                                qos.get()));
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
  const auto how = info[2].ToBoolean() ? &Context::write_soon : &Context::write;
  const dds_return_t result =
      (context(info).*how)(writer(info), sample.Data(), sample.ByteLength());
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

Napi::Value make_realtime_threads(const Napi::CallbackInfo& info) {
  const int error = context(info).make_realtime(integer(info, 0));
  if (error == 0) return info.Env().Undefined();
  const char* text = error == ENOMEM ? "the limit on locked memory is too low" : std::strerror(error);
  return Napi::String::New(info.Env(), text);
}

void share_cores_of_process(const Napi::CallbackInfo& info) {
  share_cores(static_cast<Threads>(integer(info, 0)), info[1].ToBoolean(), integer(info, 2),
              static_cast<uint64_t>(integer(info, 3)) * 1'000);
}

void lock_files_of_process(const Napi::CallbackInfo&) { lock_files(); }

Napi::Value notify_service_manager(const Napi::CallbackInfo& info) {
  const int error = ServiceSocket(text(info, 0)).send(text(info, 1));
  if (error == 0) return info.Env().Undefined();
  return Napi::String::New(info.Env(), std::strerror(error));
}

/** Without the end of Node or of the DDS library, either of which may hang or crash. */
void exit_now(const Napi::CallbackInfo& info) { _exit(integer(info, 0)); }

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
  method("matchedParticipants", matched_participants);
  method("discovered", discovered_entities);
  method("stalls", stalls);
  method("guid", guid);
  method("makeRealtime", make_realtime_threads);
  method("shareCores", share_cores_of_process);
  method("lockFiles", lock_files_of_process);
  method("notifyServiceManager", notify_service_manager);
  method("exitNow", exit_now);
  method("monotonicNs", read_monotonic);
  method("realtimeNs", read_realtime);
  method("clockState", read_clock_state);
  export_pacer_functions(exports);
  exports.Set("cycloneVersion", Napi::String::New(env, DDS_VERSION));
  return exports;
}

}  // namespace

}  // namespace hlc

static Napi::Object initialise_addon(Napi::Env env, Napi::Object exports) {
  return hlc::initialise(env, exports);
}

NODE_API_MODULE(hlc_dds, initialise_addon)
