#include "raw-sample.h"

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include <cstring>

#include "plain-cdr.h"

namespace hlc {

namespace {

/**
 * A serialised sample that belongs to no type. `dds_writecdr` takes a serdata of another type than
 * the writer's for one of another domain, and makes one of its own from the bytes; nothing but them
 * is asked for. It lives on the stack of the call.
 */
struct RawSample {
  ddsi_serdata base;
  const uint8_t* cdr;
  uint32_t bytes;
};

const RawSample& raw(const ddsi_serdata* base) { return *reinterpret_cast<const RawSample*>(base); }

uint32_t get_size(const ddsi_serdata* base) { return raw(base).bytes; }

ddsi_serdata* to_ser_ref(const ddsi_serdata* base, size_t offset, size_t size,
                         ddsrt_iovec_t* bytes) {
  bytes->iov_base = const_cast<uint8_t*>(raw(base).cdr + offset);
  bytes->iov_len = static_cast<decltype(bytes->iov_len)>(size);
  return const_cast<ddsi_serdata*>(base);
}

void to_ser_unref(ddsi_serdata*, const ddsrt_iovec_t*) {}

void release(ddsi_serdata*) {}

const ddsi_serdata_ops& raw_sample_ops() {
  static const ddsi_serdata_ops ops = [] {
    ddsi_serdata_ops made{};
    made.get_size = get_size;
    made.to_ser_ref = to_ser_ref;
    made.to_ser_unref = to_ser_unref;
    made.free = release;
    return made;
  }();
  return ops;
}

/** No topic has this type. */
const ddsi_sertype& no_type() {
  static const ddsi_sertype type = [] {
    static const ddsi_sertype_ops type_ops = [] {
      ddsi_sertype_ops made{};
      made.version = ddsi_sertype_v0;
      return made;
    }();
    ddsi_sertype made{};
    made.ops = &type_ops;
    made.serdata_ops = &raw_sample_ops();
    return made;
  }();
  return type;
}

}  // namespace

dds_return_t write_cdr(dds_entity_t writer, const uint8_t* cdr, size_t bytes) {
  const dds_return_t result = write_cdr_unsent(writer, cdr, bytes);
  dds_write_flush(writer);
  return result;
}

dds_return_t write_cdr_unsent(dds_entity_t writer, const uint8_t* cdr, size_t bytes) {
  if (!is_plain_cdr(cdr, bytes) || bytes > UINT32_MAX) return DDS_RETCODE_BAD_PARAMETER;
  RawSample sample{{}, cdr, static_cast<uint32_t>(bytes)};
  ddsi_serdata_init(&sample.base, &no_type(), SDK_DATA);
  sample.base.timestamp.v = dds_time();
  return dds_writecdr(writer, &sample.base);
}

}  // namespace hlc
