/* Shortens long waits of a server under test: the feedback plugin sleeps for five minutes before
 * its first report and for a day before the next. Loaded with LD_PRELOAD; the server itself stays
 * as its packager built it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#define LONG_WAIT 50 /* seconds: waits above it are the plugin's */
#define SHORT_WAIT 1

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until)
{
  struct timespec end = *until, now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (end.tv_sec - now.tv_sec > LONG_WAIT)
    end.tv_sec = now.tv_sec + SHORT_WAIT;
  return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, &end);
}
