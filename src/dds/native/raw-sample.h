#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>

namespace hlc {

/**
 * Writes a sample that is there as CDR already: the library takes one copy of the bytes, without a
 * sample of the type in between, and checks them only where the topic is not an unchecked one
 * (unchecked-type.h). From any thread. It is sent at once, with all samples of this writer that wait
 * to be sent.
 * @param cdr encapsulation header and body; plain CDR, either byte order
 * @return DDS_RETCODE_BAD_PARAMETER when the bytes do not begin as plain CDR, DDS_RETCODE_ERROR when
 *   a check finds that they are no sample of the type
 */
dds_return_t write_cdr(dds_entity_t writer, const uint8_t* cdr, size_t bytes);

/** As `write_cdr`, but a writer that batches may send it with later ones, at `dds_write_flush` at the latest. */
dds_return_t write_cdr_unsent(dds_entity_t writer, const uint8_t* cdr, size_t bytes);

}  // namespace hlc
