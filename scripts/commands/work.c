// Computes for so many steps: `work STEPS`. Touches no memory and makes no system call while it does.
#include <stdint.h>
#include <stdlib.h>

int main(int count, char **words) {
    uint64_t steps = count > 1 ? strtoull(words[1], 0, 10) : 0;
    volatile uint64_t sink = 0;
    uint64_t value = 1;
    for (uint64_t step = 0; step < steps; step++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    sink = value;
    return sink == 3;
}
