#!/bin/bash
# Whether the server of this container is well, without another Node: asks as curl would, which the image does not have.
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-4012}" || exit 1
printf 'GET /_sim/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
