#include "qos-view.h"

#include <initializer_list>
#include <utility>

namespace hlc {

namespace {

template <typename Kind>
const char* name_of(Kind kind, std::initializer_list<std::pair<Kind, const char*>> names) {
  for (const auto& [number, name] : names) {
    if (number == kind) return name;
  }
  return "unknown";
}

/** Nanoseconds; infinite is null. */
Napi::Value duration(Napi::Env env, dds_duration_t ns) {
  if (ns == DDS_INFINITY) return env.Null();
  return Napi::BigInt::New(env, static_cast<int64_t>(ns));
}

Napi::Object policy(Napi::Object& view, const char* name) {
  const auto added = Napi::Object::New(view.Env());
  view.Set(name, added);
  return added;
}

void view_delivery(Napi::Object& view, const dds_qos_t* qos) {
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t blocking = 0;
  if (dds_qget_reliability(qos, &reliability, &blocking)) {
    policy(view, "reliability")
        .Set("kind", name_of<dds_reliability_kind_t>(reliability,
                                                     {{DDS_RELIABILITY_BEST_EFFORT, "best-effort"},
                                                      {DDS_RELIABILITY_RELIABLE, "reliable"}}));
  }
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  if (dds_qget_durability(qos, &durability)) {
    policy(view, "durability")
        .Set("kind",
             name_of<dds_durability_kind_t>(durability,
                                            {{DDS_DURABILITY_VOLATILE, "volatile"},
                                             {DDS_DURABILITY_TRANSIENT_LOCAL, "transient-local"},
                                             {DDS_DURABILITY_TRANSIENT, "transient"},
                                             {DDS_DURABILITY_PERSISTENT, "persistent"}}));
  }
  uint32_t count = 0;
  dds_data_representation_id_t* ids = nullptr;
  if (dds_qget_data_representation(qos, &count, &ids)) {
    const auto list = Napi::Array::New(view.Env(), count);
    for (uint32_t i = 0; i < count; i++) list.Set(i, Napi::Number::New(view.Env(), ids[i]));
    view.Set("dataRepresentation", list);
    dds_free(ids);
  }
}

void view_timing(Napi::Object& view, const dds_qos_t* qos) {
  const Napi::Env env = view.Env();
  dds_duration_t ns = 0;
  if (dds_qget_deadline(qos, &ns)) policy(view, "deadline").Set("periodNs", duration(env, ns));
  if (dds_qget_latency_budget(qos, &ns)) {
    policy(view, "latencyBudget").Set("durationNs", duration(env, ns));
  }
  dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
  if (dds_qget_liveliness(qos, &liveliness, &ns)) {
    auto added = policy(view, "liveliness");
    added.Set("kind", name_of<dds_liveliness_kind_t>(
                          liveliness,
                          {{DDS_LIVELINESS_AUTOMATIC, "automatic"},
                           {DDS_LIVELINESS_MANUAL_BY_PARTICIPANT, "manual-by-participant"},
                           {DDS_LIVELINESS_MANUAL_BY_TOPIC, "manual-by-topic"}}));
    added.Set("leaseDurationNs", duration(env, ns));
  }
  dds_destination_order_kind_t order = DDS_DESTINATIONORDER_BY_RECEPTION_TIMESTAMP;
  if (dds_qget_destination_order(qos, &order)) {
    policy(view, "destinationOrder")
        .Set("kind", name_of<dds_destination_order_kind_t>(
                         order,
                         {{DDS_DESTINATIONORDER_BY_RECEPTION_TIMESTAMP, "by-reception-timestamp"},
                          {DDS_DESTINATIONORDER_BY_SOURCE_TIMESTAMP, "by-source-timestamp"}}));
  }
}

void view_ownership_and_scope(Napi::Object& view, const dds_qos_t* qos) {
  const Napi::Env env = view.Env();
  dds_ownership_kind_t ownership = DDS_OWNERSHIP_SHARED;
  if (dds_qget_ownership(qos, &ownership)) {
    policy(view, "ownership")
        .Set("kind", name_of<dds_ownership_kind_t>(ownership,
                                                   {{DDS_OWNERSHIP_SHARED, "shared"},
                                                    {DDS_OWNERSHIP_EXCLUSIVE, "exclusive"}}));
  }
  uint32_t count = 0;
  char** names = nullptr;
  if (dds_qget_partition(qos, &count, &names)) {
    const auto list = Napi::Array::New(env, count);
    for (uint32_t i = 0; i < count; i++) {
      list.Set(i, Napi::String::New(env, names[i]));
      dds_free(names[i]);
    }
    dds_free(names);
    policy(view, "partition").Set("names", list);
  }
  dds_presentation_access_scope_kind_t scope = DDS_PRESENTATION_INSTANCE;
  bool coherent = false;
  bool ordered = false;
  if (dds_qget_presentation(qos, &scope, &coherent, &ordered)) {
    auto added = policy(view, "presentation");
    added.Set("accessScope", name_of<dds_presentation_access_scope_kind_t>(
                                 scope, {{DDS_PRESENTATION_INSTANCE, "instance"},
                                         {DDS_PRESENTATION_TOPIC, "topic"},
                                         {DDS_PRESENTATION_GROUP, "group"}}));
    added.Set("coherentAccess", Napi::Boolean::New(env, coherent));
    added.Set("orderedAccess", Napi::Boolean::New(env, ordered));
  }
}

}  // namespace

Napi::Object qos_view(Napi::Env env, const dds_qos_t* qos) {
  auto view = Napi::Object::New(env);
  view_delivery(view, qos);
  view_timing(view, qos);
  view_ownership_and_scope(view, qos);
  return view;
}

}  // namespace hlc
