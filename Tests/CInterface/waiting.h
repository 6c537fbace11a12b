/* Threads and processes that wait for each other. */
#include <dirent.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int blocked, released;

static inline void wait_until(int *value, int least) {
    pthread_mutex_lock(&lock);
    while (*value < least) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static inline void set(int *value, int number) {
    pthread_mutex_lock(&lock);
    *value = number;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static inline void begin(void) { blocked = released = 0; }

static inline void child_ends_well(pid_t child) {
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The threads of this process: all are its own. */
static inline int number_of_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int number = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) number += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return number;
}
