/* Serves requests on standard input until it ends, one answer on standard output for each.

   Request: size u32 (of what follows), operation u8, length of the type name u8, type name, sample.
   Answer:  size u32 (of what follows), status u8, result.

   Sizes have the byte order of this machine. A sample is CDR of either byte order, with its
   encapsulation header. Every operation reads the sample into the C struct of its type, and then
     'L', 'B'  writes it again as CDR, little or big endian,
     'J'       writes its members as JSON,
     'K'       answers in one octet with the number of key members of the type.
   Status: 0 done, 1 refused by Cyclone, 2 unknown type or operation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cdr.h"
#include "types.h"

enum status { status_done = 0, status_refused = 1, status_unknown = 2 };

static void answer(enum status status, const void *result, uint32_t result_size)
{
  const uint32_t size = result_size + 1;
  fwrite(&size, sizeof size, 1, stdout);
  fputc(status, stdout);
  if (result_size > 0)
    fwrite(result, 1, result_size, stdout);
  fflush(stdout);
}

static void answer_cdr(const struct peer_type *type, const void *value, bool little_endian)
{
  uint32_t size = 0;
  uint8_t *sample = cdr_write(type->descriptor, value, little_endian, &size);
  answer(sample != NULL ? status_done : status_refused, sample, size);
  free(sample);
}

static void answer_json(const struct peer_type *type, const void *value)
{
  char *text = NULL;
  size_t size = 0;
  struct json j = { .out = open_memstream(&text, &size), .comma = false };
  type->dump(&j, value);
  fclose(j.out);
  answer(status_done, text, (uint32_t)size);
  free(text);
}

static void serve(const uint8_t *request, uint32_t size)
{
  char name[256] = { 0 };
  if (size < 2 || size - 2 < request[1])
  {
    answer(status_unknown, NULL, 0);
    return;
  }
  memcpy(name, request + 2, request[1]);
  const uint32_t sample_at = 2u + request[1];
  const struct peer_type *type = find_type(name);
  if (type == NULL)
  {
    answer(status_unknown, NULL, 0);
    return;
  }
  void *value = cdr_read(type->descriptor, request + sample_at, size - sample_at);
  if (value == NULL)
  {
    answer(status_refused, NULL, 0);
    return;
  }
  switch (request[0])
  {
    case 'L':
    case 'B':
      answer_cdr(type, value, request[0] == 'L');
      break;
    case 'J':
      answer_json(type, value);
      break;
    case 'K':
      answer(status_done, &(uint8_t){ (uint8_t)type->descriptor->m_nkeys }, 1);
      break;
    default:
      answer(status_unknown, NULL, 0);
  }
  cdr_free(type->descriptor, value);
}

int main(void)
{
  uint32_t size;
  while (fread(&size, sizeof size, 1, stdin) == 1)
  {
    uint8_t *request = malloc(size > 0 ? size : 1);
    if (request == NULL || fread(request, 1, size, stdin) != size)
      return EXIT_FAILURE;
    serve(request, size);
    free(request);
  }
  return EXIT_SUCCESS;
}
