#!/bin/bash
# Checks the health of this container's server without starting Node. The image has no curl.
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-4012}" || exit 1
printf 'GET /_sim/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
