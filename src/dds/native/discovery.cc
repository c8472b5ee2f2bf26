#include "discovery.h"

#include <dds/ddsi/q_protocol.h>

#include "qos-view.h"

namespace hlc {

namespace {

constexpr uint32_t samples_at_once = 64;

Napi::Value guid(Napi::Env env, const dds_guid_t& id) {
  return Napi::Buffer<uint8_t>::Copy(env, id.v, sizeof id.v);
}

struct DeletedAtEnd {
  const dds_entity_t entity;
  ~DeletedAtEnd() { dds_delete(entity); }
};

/** Calls `view` with each live sample of a built-in topic, and returns the list of the results. */
template <typename Sample, typename View>
Napi::Array read_all(Napi::Env env, dds_entity_t participant, dds_entity_t topic, View view) {
  const dds_entity_t reader = dds_create_reader(participant, topic, nullptr, nullptr);
  if (reader < 0) throw Napi::Error::New(env, dds_strretcode(-reader));
  // Takes the loans with it, also when a view throws.
  const DeletedAtEnd reader_ends{reader};
  auto list = Napi::Array::New(env);
  for (;;) {
    void* samples[samples_at_once] = {};
    dds_sample_info_t infos[samples_at_once];
    const dds_return_t count = dds_take(reader, samples, infos, samples_at_once, samples_at_once);
    if (count <= 0) break;
    for (dds_return_t i = 0; i < count; i++) {
      if (!infos[i].valid_data || infos[i].instance_state != DDS_ALIVE_INSTANCE_STATE) continue;
      list.Set(list.Length(), view(*static_cast<const Sample*>(samples[i])));
    }
    dds_return_loan(reader, samples, count);
  }
  return list;
}

void set_property(Napi::Object& view, const char* key, const dds_qos_t* qos, const char* name) {
  char* value = nullptr;
  if (!dds_qget_prop(qos, name, &value)) return;
  view.Set(key, Napi::String::New(view.Env(), value));
  dds_free(value);
}

Napi::Object participant_view(Napi::Env env, const dds_builtintopic_participant_t& sample) {
  auto view = Napi::Object::New(env);
  view.Set("guid", guid(env, sample.key));
  char* name = nullptr;
  if (dds_qget_entity_name(sample.qos, &name)) {
    view.Set("name", Napi::String::New(env, name));
    dds_free(name);
  }
  set_property(view, "processName", sample.qos, DDS_BUILTIN_TOPIC_PARTICIPANT_PROPERTY_PROCESS_NAME);
  set_property(view, "pid", sample.qos, DDS_BUILTIN_TOPIC_PARTICIPANT_PROPERTY_PID);
  set_property(view, "hostName", sample.qos, DDS_BUILTIN_TOPIC_PARTICIPANT_PROPERTY_HOSTNAME);
  return view;
}

Napi::Object endpoint_view(Napi::Env env, const dds_builtintopic_endpoint_t& sample) {
  auto view = Napi::Object::New(env);
  view.Set("guid", guid(env, sample.key));
  view.Set("topic", Napi::String::New(env, sample.topic_name));
  view.Set("typeName", Napi::String::New(env, sample.type_name));
  view.Set("qos", qos_view(env, sample.qos));
  return view;
}

}  // namespace

Napi::Object discovered(Napi::Env env, dds_entity_t participant) {
  auto view = Napi::Object::New(env);
  const auto of_participant = [&](const auto& sample) { return participant_view(env, sample); };
  const auto of_endpoint = [&](const auto& sample) { return endpoint_view(env, sample); };
  view.Set("participants", read_all<dds_builtintopic_participant_t>(
                               env, participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, of_participant));
  view.Set("writers", read_all<dds_builtintopic_endpoint_t>(
                          env, participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, of_endpoint));
  view.Set("readers", read_all<dds_builtintopic_endpoint_t>(
                          env, participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, of_endpoint));
  return view;
}

}  // namespace hlc
