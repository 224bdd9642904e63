/*
 * Runs Debian's crond on a simulated clock: time stands still until crond sleeps, and a job that it starts is written down
 * instead of run, without the session that PAM opens for it. Loaded with LD_PRELOAD. CROND_FROM and CROND_TO are seconds since
 * 1970, CROND_OUT is the file of the jobs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Its tables do not change while it runs: it asks for three of them in every minute. */
int stat(const char *path, struct stat *to) {
  static struct {
    char path[64];
    struct stat found;
  } known[8];
  static int count;
  for (int index = 0; index < count; index++)
    if (strcmp(known[index].path, path) == 0) {
      *to = known[index].found;
      return 0;
    }
  int (*real)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
  int result = real(path, to);
  if (result == 0 && count < 8 && strlen(path) < sizeof known[0].path) {
    strcpy(known[count].path, path);
    known[count++].found = *to;
  }
  return result;
}

/* A session of PAM for each job takes most of the time, and decides nothing about when the job runs. */
int pam_start(const char *service, const char *user, const void *conversation, void **handle) {
  static char session;
  *handle = &session;
  return 0;
}
int pam_set_item(void *handle, int type, const void *item) { return 0; }
int pam_acct_mgmt(void *handle, int flags) { return 0; }
int pam_setcred(void *handle, int flags) { return 0; }
int pam_open_session(void *handle, int flags) { return 0; }
int pam_close_session(void *handle, int flags) { return 0; }
int pam_end(void *handle, int status) { return 0; }
char **pam_getenvlist(void *handle) { return calloc(1, sizeof(char *)); }

/* Neither a log nor the groups of the user matter, and both ask other processes. */
void __syslog_chk(int priority, int flag, const char *format, ...) {}
int initgroups(const char *user, gid_t group) { return 0; }
