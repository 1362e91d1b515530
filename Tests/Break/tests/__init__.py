"""The breaker's own tests: that it notices what does not withstand, and makes the same damage again."""
