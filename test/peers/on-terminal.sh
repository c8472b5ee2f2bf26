#!/usr/bin/env bash
# Runs a command on a large terminal of its own. A SIGSTOP to this process stops the terminal, as
# Ctrl+S does.
command="stty rows 200 cols 120; exec $(printf '%q ' "$@")"
exec script --quiet --return --flush --command "$command" /dev/null
