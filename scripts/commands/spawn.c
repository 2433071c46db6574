// Starts a program again and again by posix_spawn and waits for it by wait4, and prints the nanoseconds of each
// round, a line each: `spawn ROUNDS PROGRAM [ARGUMENTS]`.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    int rounds = count > 2 ? atoi(words[1]) : 0;
    long long *took = calloc(rounds + 1, sizeof *took);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int stream = 0; stream < 3; stream++)
        posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    for (int round = 0; round < rounds; round++) {
        struct rusage usage;
        pid_t process;
        int status;
        long long start = now();
        if (posix_spawn(&process, words[2], &files, 0, words + 2, environ))
            return 1;
        wait4(process, &status, 0, &usage);
        took[round] = now() - start;
    }
    for (int round = 0; round < rounds; round++)
        printf("%lld\n", took[round]);
    return 0;
}
