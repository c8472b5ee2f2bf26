#include "json.h"

#include <inttypes.h>
#include <math.h>

static void separate(struct json *j)
{
  if (j->comma)
    fputc(',', j->out);
  j->comma = true;
}

void json_open(struct json *j, char bracket)
{
  separate(j);
  fputc(bracket, j->out);
  j->comma = false;
}

void json_close(struct json *j, char bracket)
{
  fputc(bracket, j->out);
  j->comma = true;
}

void json_key(struct json *j, const char *name)
{
  separate(j);
  fprintf(j->out, "\"%s\":", name);
  j->comma = false;
}

void json_bool(struct json *j, bool value)
{
  separate(j);
  fputs(value ? "true" : "false", j->out);
}

void json_int(struct json *j, int64_t value)
{
  separate(j);
  fprintf(j->out, "%" PRId64, value);
}

void json_u64(struct json *j, uint64_t value)
{
  separate(j);
  fprintf(j->out, "\"u64:%" PRIu64 "\"", value);
}

void json_f64(struct json *j, double value)
{
  separate(j);
  if (isnan(value))
    fputs("\"f64:nan\"", j->out);
  else if (isinf(value))
    fputs(value > 0 ? "\"f64:inf\"" : "\"f64:-inf\"", j->out);
  else
    fprintf(j->out, "%.17g", value);
}

void json_str(struct json *j, const char *value)
{
  separate(j);
  fputs("\"str:", j->out);
  for (const char *c = value; *c != '\0'; c++)
    fprintf(j->out, "%02x", (unsigned)(unsigned char)*c);
  fputc('"', j->out);
}
