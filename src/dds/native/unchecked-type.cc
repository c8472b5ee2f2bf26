#include "unchecked-type.h"

#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>
#include <dds/ddsrt/heap.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "plain-cdr.h"

namespace hlc {

namespace {

/** The protocol sends whole words: what fills the last one of a sample is in its memory too. */
constexpr size_t word = 4;

/** A sample, or only its key, with its octets in the memory behind it. */
struct Sample {
  ddsi_serdata base;
  uint32_t bytes;

  uint8_t* cdr() { return reinterpret_cast<uint8_t*>(this + 1); }
  /** Zero or any octet where the type has no key. */
  uint8_t key() { return cdr()[encapsulation_bytes]; }
};

Sample& self_of(const ddsi_serdata* base) {
  return *reinterpret_cast<Sample*>(const_cast<ddsi_serdata*>(base));
}

/** @return nullptr when no memory is left or the sample is larger than the protocol knows */
Sample* allocate(const ddsi_sertype* type, ddsi_serdata_kind kind, size_t bytes) {
  if (bytes > UINT32_MAX - word) return nullptr;
  void* memory = ddsrt_malloc_s(sizeof(Sample) + bytes + word);
  if (memory == nullptr) return nullptr;
  auto* sample = new (memory) Sample;
  ddsi_serdata_init(&sample->base, type, kind);
  sample->bytes = static_cast<uint32_t>(bytes);
  std::memset(sample->cdr() + bytes, 0, word);
  return sample;
}

void release(ddsi_serdata* base) { ddsrt_free(base); }

bool has_key(const ddsi_sertype& type) { return !type.typekind_no_key; }

/** Differs between any two keys of a type. */
uint32_t hash_of(const ddsi_sertype& type, uint8_t key) {
  return type.serdata_basehash ^ (key * 0x9e3779b1u);
}

/**
 * Ends the making of a sample from plain CDR, either byte order.
 * @param filled number of its octets that are there
 * @return nullptr, and the sample is gone, when it is none
 */
ddsi_serdata* finish(Sample* sample, size_t filled) {
  const bool keyed = has_key(*sample->base.type);
  const bool whole = filled == sample->bytes && filled >= encapsulation_bytes + keyed;
  if (!whole || !is_plain_cdr(sample->cdr(), filled)) {
    release(&sample->base);
    return nullptr;
  }
  sample->base.hash = hash_of(*sample->base.type, keyed ? sample->key() : 0);
  return &sample->base;
}

ddsi_serdata* from_ser(const ddsi_sertype* type, ddsi_serdata_kind kind, const nn_rdata* fragment,
                       size_t bytes) {
  Sample* sample = allocate(type, kind, bytes);
  if (sample == nullptr) return nullptr;
  size_t filled = 0;
  for (; fragment != nullptr; fragment = fragment->nextfrag) {
    // Fragments may overlap.
    const size_t end = std::min<size_t>(fragment->maxp1, bytes);
    if (end <= filled) continue;
    const uint8_t* payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
    std::memcpy(sample->cdr() + filled, payload + (filled - fragment->min), end - filled);
    filled = end;
  }
  return finish(sample, filled);
}

ddsi_serdata* from_ser_iov(const ddsi_sertype* type, ddsi_serdata_kind kind,
                           ddsrt_msg_iovlen_t parts, const ddsrt_iovec_t* part, size_t bytes) {
  Sample* sample = allocate(type, kind, bytes);
  if (sample == nullptr) return nullptr;
  size_t filled = 0;
  for (; parts > 0 && part->iov_len <= bytes - filled; parts--, part++) {
    std::memcpy(sample->cdr() + filled, part->iov_base, part->iov_len);
    filled += part->iov_len;
  }
  return finish(sample, filled);
}

uint32_t get_size(const ddsi_serdata* base) { return self_of(base).bytes; }

void to_ser(const ddsi_serdata* base, size_t offset, size_t size, void* to) {
  std::memcpy(to, self_of(base).cdr() + offset, size);
}

ddsi_serdata* to_ser_ref(const ddsi_serdata* base, size_t offset, size_t size,
                         ddsrt_iovec_t* bytes) {
  bytes->iov_base = self_of(base).cdr() + offset;
  bytes->iov_len = static_cast<decltype(bytes->iov_len)>(size);
  return ddsi_serdata_ref(base);
}

void to_ser_unref(ddsi_serdata* base, const ddsrt_iovec_t*) { ddsi_serdata_unref(base); }

/** A sample of nothing but the key. */
ddsi_serdata* key_only(const ddsi_sertype* type, uint8_t key) {
  const size_t bytes = encapsulation_bytes + has_key(*type);
  Sample* sample = allocate(type, SDK_KEY, bytes);
  if (sample == nullptr) return nullptr;
  const uint8_t cdr[encapsulation_bytes] = {0, 1, 0, 0};
  std::memcpy(sample->cdr(), cdr, sizeof cdr);
  sample->cdr()[encapsulation_bytes] = key;
  return finish(sample, bytes);
}

ddsi_serdata* from_keyhash(const ddsi_sertype* type, const ddsi_keyhash* hash) {
  return key_only(type, hash->value[0]);
}

/** What stands for an instance in the library's table of instances. */
ddsi_serdata* to_untyped(const ddsi_serdata* base) {
  ddsi_serdata* key = key_only(base->type, self_of(base).key());
  if (key != nullptr) key->type = nullptr;
  return key;
}

bool same_key(const ddsi_serdata* a, const ddsi_serdata* b) {
  return self_of(a).key() == self_of(b).key();
}
bool no_key(const ddsi_serdata*, const ddsi_serdata*) { return true; }

/** A key shorter than a hash is its own (OMG DDSI-RTPS 2.5, section 9.6.4.8). */
void get_keyhash(const ddsi_serdata* base, ddsi_keyhash* hash, bool) {
  std::memset(hash, 0, sizeof *hash);
  if (has_key(*base->type)) hash->value[0] = self_of(base).key();
}

size_t print(const ddsi_sertype*, const ddsi_serdata*, char* to, size_t size) {
  if (size > 0) to[0] = '\0';
  return 0;
}

/** Of a key, which is an octet. There are no other samples than serialised ones. */
ddsi_serdata* from_sample(const ddsi_sertype* type, ddsi_serdata_kind kind, const void* key) {
  return kind == SDK_KEY ? key_only(type, *static_cast<const uint8_t*>(key)) : nullptr;
}
bool to_sample(const ddsi_serdata*, void*, void**, void*) { return false; }
bool untyped_to_sample(const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) {
  return false;
}

ddsi_serdata_ops sample_ops(ddsi_serdata_eqkey_t eqkey) {
  ddsi_serdata_ops ops{};
  ops.eqkey = eqkey;
  ops.get_size = get_size;
  ops.from_ser = from_ser;
  ops.from_ser_iov = from_ser_iov;
  ops.from_keyhash = from_keyhash;
  ops.from_sample = from_sample;
  ops.to_ser = to_ser;
  ops.to_ser_ref = to_ser_ref;
  ops.to_ser_unref = to_ser_unref;
  ops.to_sample = to_sample;
  ops.to_untyped = to_untyped;
  ops.untyped_to_sample = untyped_to_sample;
  ops.free = release;
  ops.print = print;
  ops.get_keyhash = get_keyhash;
  return ops;
}

const ddsi_serdata_ops keyed_ops = sample_ops(same_key);
const ddsi_serdata_ops keyless_ops = sample_ops(no_key);

const ddsi_sertype_ops type_ops = [] {
  ddsi_sertype_ops ops{};
  ops.version = ddsi_sertype_v0;
  ops.free = [](ddsi_sertype* type) {
    ddsi_sertype_fini(type);
    delete type;
  };
  ops.zero_samples = [](const ddsi_sertype*, void*, size_t) {};
  ops.realloc_samples = [](void**, const ddsi_sertype*, void*, size_t, size_t) {};
  ops.free_samples = [](const ddsi_sertype*, void**, size_t, dds_free_op_t) {};
  // The library has compared the names.
  ops.equal = [](const ddsi_sertype*, const ddsi_sertype*) { return true; };
  ops.hash = [](const ddsi_sertype*) { return uint32_t{0}; };
  return ops;
}();

}  // namespace

bool can_be_unchecked(const dds_topic_descriptor_t& type) {
  if (type.m_nkeys == 0) return true;
  const uint32_t first = type.m_ops[0];
  return type.m_nkeys == 1 && (first & DDS_OP_FLAG_KEY) != 0 && DDS_OP_TYPE(first) == DDS_OP_VAL_1BY;
}

dds_entity_t create_unchecked_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                                    const char* name) {
  const bool keyless = type.m_nkeys == 0;
  auto* made = new ddsi_sertype{};
  ddsi_sertype_init_flags(made, type.m_typename, &type_ops, keyless ? &keyless_ops : &keyed_ops,
                          keyless ? DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY : 0);
  const dds_entity_t topic =
      dds_create_topic_sertype(participant, name, &made, nullptr, nullptr, nullptr);
  if (topic < 0) ddsi_sertype_unref(made);
  return topic;
}

void KeptInstances::open(dds_entity_t writer, const dds_topic_descriptor_t& type) {
  writer_ = writer;
  if (type.m_nkeys > 0) due_.set();
  else keep(0);
}

void KeptInstances::keep(const uint8_t* cdr, size_t bytes) {
  if (bytes <= encapsulation_bytes) return;
  const uint8_t key = cdr[encapsulation_bytes];
  if (due_[key]) keep(key);
}

void KeptInstances::keep(uint8_t key) {
  due_.reset(key);
  dds_instance_handle_t handle = DDS_HANDLE_NIL;
  // Where this fails, samples are sent all the same.
  dds_register_instance(writer_, &handle, &key);
}

}  // namespace hlc
