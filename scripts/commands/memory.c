// Touches so many KiB of memory: `memory KIB`. Prints its peak as it sees it itself, in bytes, if there is a second word.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    size_t bytes = count > 1 ? strtoull(words[1], 0, 10) << 10 : 0;
    char *memory = malloc(bytes + 1);
    memset(memory, 1, bytes + 1);
    if (count > 2) {
        char line[256];
        FILE *status = fopen("/proc/self/status", "r");
        while (status && fgets(line, sizeof line, status))
            if (!strncmp(line, "VmHWM:", 6))
                printf("%llu\n", strtoull(line + 6, 0, 10) << 10);
    }
    return memory[bytes] != 1;
}
