#include "homeward_gps.h"
