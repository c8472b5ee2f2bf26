#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes JSON. What JSON cannot say exactly becomes a tagged string: "u64:<decimal>",
   "f64:<nan|inf|-inf>" and "str:<octets in hex>". */
struct json {
  FILE *out;
  bool comma; /* the next value or key needs a comma before it */
};

void json_open(struct json *j, char bracket);
void json_close(struct json *j, char bracket);
void json_key(struct json *j, const char *name);
void json_bool(struct json *j, bool value);
void json_int(struct json *j, int64_t value);
void json_u64(struct json *j, uint64_t value);
void json_f64(struct json *j, double value);
void json_str(struct json *j, const char *value);

#endif
