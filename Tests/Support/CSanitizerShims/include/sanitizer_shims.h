#pragma once

/* Nothing to call. A test program that is built with --sanitize=thread and linked with this tells the sanitizer what it
   cannot see by itself; in any other build there is nothing in it. */
