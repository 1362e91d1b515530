#include "catalogues.h"

static const uint8_t zh_CN[] = {
#embed "zh_CN.po"
};

const uint8_t *homeward_zh_CN(void) { return zh_CN; }

size_t homeward_zh_CN_size(void) { return sizeof zh_CN; }
