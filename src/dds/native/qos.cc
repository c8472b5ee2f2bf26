#include "qos.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace hlc {

namespace {

bool has(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  return !value.IsUndefined() && !value.IsNull();
}

Napi::Object policy(const Napi::Object& policies, const char* key) {
  return policies.Get(key).As<Napi::Object>();
}

[[noreturn]] void refuse(const Napi::Object& object, const char* key) {
  throw Napi::TypeError::New(object.Env(), std::string("bad QoS value: ") + key);
}

/** Nanoseconds; null or absent is infinite. */
dds_duration_t duration(const Napi::Object& object, const char* key) {
  if (!has(object, key)) return DDS_INFINITY;
  const Napi::Value value = object.Get(key);
  if (!value.IsBigInt()) refuse(object, key);
  bool lossless = false;
  const int64_t ns = value.As<Napi::BigInt>().Int64Value(&lossless);
  if (!lossless || ns < 0) refuse(object, key);
  return ns;
}

/** A count; null or absent is unlimited. */
int32_t count(const Napi::Object& object, const char* key) {
  if (!has(object, key)) return DDS_LENGTH_UNLIMITED;
  const Napi::Value value = object.Get(key);
  if (!value.IsNumber()) refuse(object, key);
  return value.As<Napi::Number>().Int32Value();
}

bool boolean(const Napi::Object& object, const char* key) {
  const Napi::Value value = object.Get(key);
  if (!value.IsBoolean()) refuse(object, key);
  return value.As<Napi::Boolean>().Value();
}

template <typename Kind>
Kind kind(const Napi::Object& object, const char* key,
          std::initializer_list<std::pair<const char*, Kind>> names) {
  const Napi::Value value = object.Get(key);
  if (!value.IsString()) refuse(object, key);
  const std::string text = value.As<Napi::String>();
  for (const auto& [name, number] : names) {
    if (text == name) return number;
  }
  refuse(object, key);
}

struct History {
  dds_history_kind_t kind;
  int32_t depth;
};

History history(const Napi::Object& object) {
  const auto which = kind<dds_history_kind_t>(
      object, "kind", {{"keep-last", DDS_HISTORY_KEEP_LAST}, {"keep-all", DDS_HISTORY_KEEP_ALL}});
  return {which, has(object, "depth") ? count(object, "depth") : 1};
}

using SetBytes = void (*)(dds_qos_t*, const void*, size_t);

void bytes(dds_qos_t* qos, const Napi::Object& policies, const char* key, SetBytes set) {
  if (!has(policies, key)) return;
  const Napi::Value value = policies.Get(key);
  if (!value.IsTypedArray()) refuse(policies, key);
  const auto data = value.As<Napi::Uint8Array>();
  set(qos, data.Data(), data.ByteLength());
}

void read_delivery(dds_qos_t* qos, const Napi::Object& policies) {
  if (has(policies, "reliability")) {
    const auto p = policy(policies, "reliability");
    dds_qset_reliability(
        qos,
        kind<dds_reliability_kind_t>(p, "kind",
                                     {{"best-effort", DDS_RELIABILITY_BEST_EFFORT},
                                      {"reliable", DDS_RELIABILITY_RELIABLE}}),
        has(p, "maxBlockingTimeNs") ? duration(p, "maxBlockingTimeNs") : DDS_MSECS(100));
  }
  if (has(policies, "durability")) {
    dds_qset_durability(
        qos, kind<dds_durability_kind_t>(policy(policies, "durability"), "kind",
                                         {{"volatile", DDS_DURABILITY_VOLATILE},
                                          {"transient-local", DDS_DURABILITY_TRANSIENT_LOCAL},
                                          {"transient", DDS_DURABILITY_TRANSIENT},
                                          {"persistent", DDS_DURABILITY_PERSISTENT}}));
  }
  if (has(policies, "history")) {
    const auto h = history(policy(policies, "history"));
    dds_qset_history(qos, h.kind, h.depth);
  }
  if (has(policies, "durabilityService")) {
    const auto p = policy(policies, "durabilityService");
    const auto h = history(policy(p, "history"));
    dds_qset_durability_service(
        qos, has(p, "serviceCleanupDelayNs") ? duration(p, "serviceCleanupDelayNs") : 0, h.kind,
        h.depth, count(p, "maxSamples"), count(p, "maxInstances"),
        count(p, "maxSamplesPerInstance"));
  }
  if (has(policies, "resourceLimits")) {
    const auto p = policy(policies, "resourceLimits");
    dds_qset_resource_limits(qos, count(p, "maxSamples"), count(p, "maxInstances"),
                             count(p, "maxSamplesPerInstance"));
  }
}

void read_timing(dds_qos_t* qos, const Napi::Object& policies) {
  if (has(policies, "deadline")) {
    dds_qset_deadline(qos, duration(policy(policies, "deadline"), "periodNs"));
  }
  if (has(policies, "latencyBudget")) {
    dds_qset_latency_budget(qos, duration(policy(policies, "latencyBudget"), "durationNs"));
  }
  if (has(policies, "lifespan")) {
    dds_qset_lifespan(qos, duration(policy(policies, "lifespan"), "durationNs"));
  }
  if (has(policies, "timeBasedFilter")) {
    dds_qset_time_based_filter(
        qos, duration(policy(policies, "timeBasedFilter"), "minimumSeparationNs"));
  }
  if (has(policies, "liveliness")) {
    const auto p = policy(policies, "liveliness");
    dds_qset_liveliness(
        qos,
        kind<dds_liveliness_kind_t>(
            p, "kind",
            {{"automatic", DDS_LIVELINESS_AUTOMATIC},
             {"manual-by-participant", DDS_LIVELINESS_MANUAL_BY_PARTICIPANT},
             {"manual-by-topic", DDS_LIVELINESS_MANUAL_BY_TOPIC}}),
        duration(p, "leaseDurationNs"));
  }
  if (has(policies, "destinationOrder")) {
    dds_qset_destination_order(
        qos, kind<dds_destination_order_kind_t>(
                 policy(policies, "destinationOrder"), "kind",
                 {{"by-reception-timestamp", DDS_DESTINATIONORDER_BY_RECEPTION_TIMESTAMP},
                  {"by-source-timestamp", DDS_DESTINATIONORDER_BY_SOURCE_TIMESTAMP}}));
  }
  if (has(policies, "transportPriority")) {
    dds_qset_transport_priority(qos, count(policy(policies, "transportPriority"), "value"));
  }
}

void read_ownership_and_scope(dds_qos_t* qos, const Napi::Object& policies) {
  if (has(policies, "ownership")) {
    const auto p = policy(policies, "ownership");
    dds_qset_ownership(qos,
                       kind<dds_ownership_kind_t>(p, "kind",
                                                  {{"shared", DDS_OWNERSHIP_SHARED},
                                                   {"exclusive", DDS_OWNERSHIP_EXCLUSIVE}}));
    if (has(p, "strength")) dds_qset_ownership_strength(qos, count(p, "strength"));
  }
  if (has(policies, "partition")) {
    const auto names = policy(policies, "partition").Get("names").As<Napi::Array>();
    std::vector<std::string> texts;
    for (uint32_t i = 0; i < names.Length(); i++) {
      texts.push_back(names.Get(i).As<Napi::String>().Utf8Value());
    }
    std::vector<const char*> pointers;
    for (const auto& text : texts) pointers.push_back(text.c_str());
    dds_qset_partition(qos, static_cast<uint32_t>(pointers.size()), pointers.data());
  }
  if (has(policies, "presentation")) {
    const auto p = policy(policies, "presentation");
    dds_qset_presentation(
        qos,
        kind<dds_presentation_access_scope_kind_t>(p, "accessScope",
                                                   {{"instance", DDS_PRESENTATION_INSTANCE},
                                                    {"topic", DDS_PRESENTATION_TOPIC},
                                                    {"group", DDS_PRESENTATION_GROUP}}),
        boolean(p, "coherentAccess"), boolean(p, "orderedAccess"));
  }
  bytes(qos, policies, "userData",
        [](dds_qos_t* q, const void* data, size_t size) { dds_qset_userdata(q, data, size); });
  bytes(qos, policies, "topicData",
        [](dds_qos_t* q, const void* data, size_t size) { dds_qset_topicdata(q, data, size); });
  bytes(qos, policies, "groupData",
        [](dds_qos_t* q, const void* data, size_t size) { dds_qset_groupdata(q, data, size); });
  if (has(policies, "writerDataLifecycle")) {
    dds_qset_writer_data_lifecycle(qos, boolean(policy(policies, "writerDataLifecycle"),
                                                "autodisposeUnregisteredInstances"));
  }
  if (has(policies, "readerDataLifecycle")) {
    const auto p = policy(policies, "readerDataLifecycle");
    dds_qset_reader_data_lifecycle(qos, duration(p, "autopurgeNowriterSamplesDelayNs"),
                                   duration(p, "autopurgeDisposedSamplesDelayNs"));
  }
}

}  // namespace

QosPtr read_qos(const Napi::Object& policies) {
  QosPtr qos(dds_create_qos());
  read_delivery(qos.get(), policies);
  read_timing(qos.get(), policies);
  read_ownership_and_scope(qos.get(), policies);
  const dds_data_representation_id_t only_xcdr1[] = {DDS_DATA_REPRESENTATION_XCDR1};
  dds_qset_data_representation(qos.get(), 1, only_xcdr1);
  return qos;
}

}  // namespace hlc
