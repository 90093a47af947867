#!/usr/bin/env bash
# What a node needs beyond its image: images and pods on the large extra volume, not on the root disk.
set -eu
target=/opt/sagemaker
if ! mountpoint -q "$target"; then
  echo "no extra volume at $target: containerd stays on the root disk"
  exit 0
fi
mkdir -p "$target/containerd" /etc/systemd/system/containerd.service.d
cat >/etc/systemd/system/containerd.service.d/root.conf <<UNIT
[Service]
ExecStart=
ExecStart=/usr/bin/containerd --root $target/containerd
UNIT
systemctl daemon-reload
systemctl restart containerd
echo "containerd keeps its data in $target/containerd"
