#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>

namespace hlc {

/**
 * Writes a sample that is there as CDR already: the library checks the bytes against the type of the
 * writer's topic and takes one copy of them, without a sample of that type in between. From any
 * thread. It is sent at once, with all samples of this writer that wait to be sent.
 * @param cdr encapsulation header and body; plain CDR, either byte order
 * @return DDS_RETCODE_BAD_PARAMETER when the bytes are no plain CDR, DDS_RETCODE_ERROR when they are
 *   no sample of the type
 */
dds_return_t write_cdr(dds_entity_t writer, const uint8_t* cdr, size_t bytes);

/** As `write_cdr`, but a writer that batches may send it with later ones, at `dds_write_flush` at the latest. */
dds_return_t write_cdr_unsent(dds_entity_t writer, const uint8_t* cdr, size_t bytes);

}  // namespace hlc
