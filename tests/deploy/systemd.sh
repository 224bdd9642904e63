# Becomes systemd in namespaces of its own, as `unshare` makes them: what it may write to is in memory, the rest of the machine is read
# only, and it knows the unit of the docs alone.
#   systemd.sh <checkout> <environment file>
set -e
checkout=$1 env=$2
mount --make-rprivate /
for folder in /run /opt /var/lib /var/cache /var/log /var/tmp; do mount -t tmpfs tmpfs "$folder"; done

# As docs/operate/deploy.md installs it.
mkdir -p /run/etc /run/units /run/none /opt/kanmon
cp -a /etc/. /run/etc
mount --bind /run/etc /etc
mkdir -p /etc/kanmon
mount --bind "$checkout" /opt/kanmon
mount -o remount,bind,ro /opt/kanmon
install -m 600 "$env" /etc/kanmon/kanmon.env
install -m 644 /opt/kanmon/docs/deploy/systemd/kanmon.service /run/units/

# The targets that units depend on, without the services of this machine.
for name in sysinit basic shutdown network-online; do
  printf '[Unit]\nDescription=%s\nDefaultDependencies=no\n' "$name" >"/run/units/$name.target"
done
printf '[Unit]\nDescription=Trial\nDefaultDependencies=no\nWants=kanmon.service\n' >/run/units/trial.target

mkdir -p /run/dev/shm /run/dev/pts
mount -t tmpfs tmpfs /run/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts /run/dev/pts
ln -s pts/ptmx /run/dev/ptmx
for node in null zero full random urandom tty; do
  touch "/run/dev/$node"
  mount --bind "/dev/$node" "/run/dev/$node"
done
mount --rbind /run/dev /dev

# Control groups below the one that this process is in; on older kernels version 1, without its controllers.
is_old=$(test -d /sys/fs/cgroup/systemd && echo yes || true)
umount -R /sys/fs/cgroup
if [ -n "$is_old" ]; then
  mount -t tmpfs tmpfs /sys/fs/cgroup
  mkdir /sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
else
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi

mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mount -t tmpfs tmpfs /tmp
mount -o remount,bind,ro /
if touch /canary 2>/dev/null; then
  echo "The machine could be written to" >&2
  exit 1
fi
exec env -i PATH="$PATH" container=trial SYSTEMD_UNIT_PATH=/run/units SYSTEMD_GENERATOR_PATH=/run/none \
  SYSTEMD_ENVIRONMENT_GENERATOR_PATH=/run/none /lib/systemd/systemd --system --unit=trial.target
