#include "topic-names.h"

#include <cctype>
#include <cstring>

#include <algorithm>
#include <array>

#include "unchecked-type.h"

namespace hlc {

namespace {

/** The table has an entry for every `signed char` and `unsigned char` (glibc, ctype.h). */
constexpr int lowest_character = -128;
constexpr size_t characters = 384;

/** While it lives, `isalnum` of this thread takes a dot for a letter. */
class DotIsLetter {
 public:
  DotIsLetter() : before_(*__ctype_b_loc()) {
    std::copy_n(before_ + lowest_character, characters, table_.begin());
    table_['.' - lowest_character] = before_[static_cast<int>('a')];
    *__ctype_b_loc() = table_.data() - lowest_character;
  }
  ~DotIsLetter() { *__ctype_b_loc() = before_; }
  DotIsLetter(const DotIsLetter&) = delete;
  DotIsLetter& operator=(const DotIsLetter&) = delete;

 private:
  const unsigned short* before_;
  std::array<unsigned short, characters> table_;
};

}  // namespace

dds_entity_t create_topic(dds_entity_t participant, const dds_topic_descriptor_t& type,
                          const char* name) {
  const auto create = [&] {
    return can_be_unchecked(type)
               ? create_unchecked_topic(participant, type, name)
               : dds_create_topic(participant, &type, name, nullptr, nullptr);
  };
  if (std::strchr(name, '.') == nullptr) return create();
  const DotIsLetter dots;
  return create();
}

}  // namespace hlc
