#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

const char *optional_text_option(int argc, char **argv, const char *name) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return argv[i] + length + 1;
  return NULL;
}

const char *text_option(int argc, char **argv, const char *name) {
  const char *value = optional_text_option(argc, argv, name);
  if (value == NULL) fail("%s is needed", name);
  return value;
}

int64_t integer_option(int argc, char **argv, const char *name, int64_t absent) {
  const char *value = optional_text_option(argc, argv, name);
  if (value == NULL) return absent;
  char *end;
  int64_t number = strtoll(value, &end, 10);
  if (end == value || *end != '\0' || number < 0) fail("%s takes an integer, not \"%s\"", name, value);
  return number;
}

VehicleIds vehicle_ids_option(int argc, char **argv) {
  VehicleIds ids = { 0 };
  const char *at = optional_text_option(argc, argv, "--vehicle-ids");
  if (at == NULL) fail("--vehicle-ids is needed, for example --vehicle-ids=1,2,5");
  for (char *end; ids.count < 256; at = end + 1) {
    unsigned long id = strtoul(at, &end, 10);
    if (end == at || id > 255) break;
    ids.id[ids.count++] = (uint8_t)id;
    if (*end == '\0') return ids;
    if (*end != ',') break;
  }
  fail("--vehicle-ids takes integers from 0 to 255 with commas between them");
}
