#pragma once
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's entry: calls `callback` with made-up input until its flags say stop. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));
