#!/usr/bin/env bash
# Runs once on every new HyperPod node. Logs to the file that HyperPod ships to CloudWatch.
set -u
log=/var/log/provision/provisioning.log
mkdir -p "$(dirname "$log")"
here=$(cd "$(dirname "$0")" && pwd)
if ! bash "$here/on_create_main.sh" >>"$log" 2>&1; then
  echo "on_create_main.sh failed; see the lines above" >>"$log"
  sleep 60 # let the log reach CloudWatch before HyperPod takes the node away
  exit 1
fi
