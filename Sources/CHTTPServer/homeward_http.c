#include "homeward_http.h"
