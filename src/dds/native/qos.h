#pragma once

#include <dds/dds.h>
#include <napi.h>

#include <memory>

namespace hlc {

struct QosDeleter {
  void operator()(dds_qos_t* qos) const { dds_delete_qos(qos); }
};
using QosPtr = std::unique_ptr<dds_qos_t, QosDeleter>;

/**
 * Reads the QosPolicies of src/ports/qos.ts. The data representation is always XCDR1, the
 * only one that the codecs speak.
 * @throws Napi::TypeError when a value is not one of that interface.
 */
QosPtr read_qos(const Napi::Object& policies);

}  // namespace hlc
