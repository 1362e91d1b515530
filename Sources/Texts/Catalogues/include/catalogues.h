#ifndef HOMEWARD_CATALOGUES_H
#define HOMEWARD_CATALOGUES_H

#include <stddef.h>
#include <stdint.h>

// The catalogue zh_CN.po as it lies in the source, a part of the program.
const uint8_t *homeward_zh_CN(void);
size_t homeward_zh_CN_size(void);

#endif
