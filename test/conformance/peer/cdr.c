/* The only file that sees Cyclone's internal headers: they declare a struct Header, and so do the
   headers that idlc generates. */
#include "cdr.h"

#include <stdlib.h>
#include <string.h>

#include "dds/ddsi/ddsi_cdrstream.h"
#include "dds/ddsi/q_protocol.h"

enum { header_size = 4 };

static bool host_is_little_endian(void)
{
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 1;
}

void *cdr_read(const dds_topic_descriptor_t *type, const uint8_t *sample, uint32_t size)
{
  if (size < header_size || sample[0] != 0 || sample[1] > 1)
    return NULL;
  const uint32_t payload = size - header_size;
  const bool swap = (sample[1] == 1) != host_is_little_endian();

  /* Cyclone checks and swaps the bytes where they are, and wants them aligned. */
  char *bytes = malloc(payload + 8);
  memcpy(bytes, sample + header_size, payload);
  uint32_t end = 0;
  if (dds_stream_normalize_data(bytes, &end, payload, swap, CDR_ENC_VERSION_1,
                                type->m_ops) == NULL)
  {
    free(bytes);
    return NULL;
  }

  void *value = calloc(1, type->m_size);
  dds_istream_t stream;
  dds_istream_init(&stream, end, bytes, CDR_ENC_VERSION_1);
  dds_stream_read(&stream, value, type->m_ops);
  dds_istream_fini(&stream);
  free(bytes);
  return value;
}

static uint8_t *with_header(const dds_ostream_t *stream, bool little_endian, uint32_t *size)
{
  *size = header_size + stream->m_index;
  uint8_t *sample = calloc(1, *size);
  sample[1] = little_endian ? 1 : 0;
  memcpy(sample + header_size, stream->m_buffer, stream->m_index);
  return sample;
}

uint8_t *cdr_write(const dds_topic_descriptor_t *type, const void *value, bool little_endian,
                   uint32_t *size)
{
  uint8_t *sample = NULL;
  if (little_endian)
  {
    dds_ostreamLE_t stream;
    dds_ostreamLE_init(&stream, 0, CDR_ENC_VERSION_1);
    if (dds_stream_writeLE(&stream, value, type->m_ops) != NULL)
      sample = with_header(&stream.x, true, size);
    dds_ostreamLE_fini(&stream);
  }
  else
  {
    dds_ostreamBE_t stream;
    dds_ostreamBE_init(&stream, 0, CDR_ENC_VERSION_1);
    if (dds_stream_writeBE(&stream, value, type->m_ops) != NULL)
      sample = with_header(&stream.x, false, size);
    dds_ostreamBE_fini(&stream);
  }
  return sample;
}

void cdr_free(const dds_topic_descriptor_t *type, void *value)
{
  dds_stream_free_sample(value, type->m_ops);
  free(value);
}
