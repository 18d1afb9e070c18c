#!/bin/bash
# Checks the health of this container's server without starting Node. The image has no curl.
# Bash cannot speak TLS: with HTTPS the command does it.
if [ -n "${SIM_TLS:-}${SIM_TLS_CERT:-}" ]; then exec suite-sim healthcheck; fi
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-4012}" || exit 1
printf 'GET /_sim/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
