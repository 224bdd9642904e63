/*
 * Runs Debian's crond on a simulated clock: time stands still until crond sleeps, and a job that it starts is written down
 * instead of run. Loaded with LD_PRELOAD. CROND_FROM and CROND_TO are seconds since 1970, CROND_OUT is the file of the jobs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static time_t now, end;
static const char *out;

__attribute__((constructor)) static void begin(void) {
  now = atol(getenv("CROND_FROM"));
  end = atol(getenv("CROND_TO"));
  out = getenv("CROND_OUT");
}

time_t time(time_t *to) {
  if (to) *to = now;
  return now;
}

unsigned int sleep(unsigned int seconds) {
  now += seconds;
  if (now >= end) _exit(0);
  return 0;
}

int execle(const char *path, const char *arg, ...) {
  const char *command = "";
  va_list rest;
  va_start(rest, arg);
  for (const char *each = arg; each; each = va_arg(rest, const char *)) command = each;
  va_end(rest);
  char line[256];
  int length = snprintf(line, sizeof line, "%ld %s\n", (long)(now / 60), command);
  int file = open(out, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (write(file, line, length) != length) _exit(1);
  _exit(0);
}
