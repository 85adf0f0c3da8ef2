// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of cgroups: those of each container runtime under both drivers, and those that only look so. */
#include "text/cgroup_name.h"
#include "unit.h"

#define ID "8d2f0a6c1be94735a2d41c5c7e3f9b08d6a1e5f4c3b2a19087f6e5d4c3b2a190"
#define UID "1f0c6a3e-5d0b-4c43-9d2e-6a5e4f1b2c3d"
#define STATIC_UID "1f0c6a3e5d0b4c439d2e6a5e4f1b2c3d"

/* The container and the pod of a path: of each the outermost. */
static const struct path {
	const char *path, *container, *pod;
} paths[] = {
	{ "/", "", "" },
	{ "/system.slice/ssh.service", "", "" },
	{ "/user.slice/user-1000.slice/session-3.scope", "", "" },

	/* Docker */
	{ "/system.slice/docker-" ID ".scope", ID, "" },
	{ "/docker/" ID, ID, "" },
	{ "/system.slice/docker.service", "", "" },
	{ "/docker", "", "" },

	/* Podman, with a pod, without root, and under cgroupfs */
	{ "/machine.slice/libpod-" ID ".scope/container", ID, "" },
	{ "/machine.slice/machine-libpod_pod_" ID ".slice/libpod-" ID ".scope", ID, ID },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", ID, "" },
	{ "/libpod_parent/libpod-" ID, ID, "" },
	{ "/libpod_parent/libpod_pod_" ID "/libpod-" ID, ID, ID },
	{ "/machine.slice/libpod-conmon-" ID ".scope", "", "" },

	/* containerd alone, nerdctl */
	{ "/default/" ID, ID, "" },
	{ "/system.slice/nerdctl-" ID ".scope", ID, "" },

	/* Kubernetes: containerd and CRI-O, each class of service, both drivers, pods from files */
	{ "/kubepods.slice/kubepods-pod1f0c6a3e_5d0b_4c43_9d2e_6a5e4f1b2c3d.slice/cri-containerd-"
	  ID ".scope", ID, UID },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
	  "1f0c6a3e_5d0b_4c43_9d2e_6a5e4f1b2c3d.slice/crio-" ID ".scope", ID, UID },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" STATIC_UID
	  ".slice/docker-" ID ".scope", ID, STATIC_UID },
	{ "/kubepods/burstable/pod" UID "/" ID, ID, UID },
	{ "/kubepods/pod" STATIC_UID "/crio-" ID, ID, STATIC_UID },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
	  "1f0c6a3e_5d0b_4c43_9d2e_6a5e4f1b2c3d.slice/crio-conmon-" ID ".scope", "", UID },

	/* kind: a node that is a container */
	{ "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod"
	  "1f0c6a3e_5d0b_4c43_9d2e_6a5e4f1b2c3d.slice/cri-containerd-" ID ".scope", ID, UID },

	/* systemd-nspawn, LXC, Incus */
	{ "/machine.slice/systemd-nspawn@web.service/payload", "web", "" },
	{ "/machine.slice/machine-web\\x2d1.scope", "web-1", "" },
	{ "/machine.slice/machine-qemu\\x2d3\\x2dvm.scope", "", "" },
	{ "/lxc.payload.db_1/init.scope", "db_1", "" },
	{ "/lxc.monitor.db_1", "", "" },

	/* the outermost, because a container names what is within it */
	{ "/docker/" ID "/lxc.payload.forged", ID, "" },
	{ "/lxc.payload.outer/docker/" ID, "outer", "" },

	/* names that only look so */
	{ "/docker/8D2f0a6c1be94735a2d41c5c7e3f9b08d6a1e5f4c3b2a19087f6e5d4c3b2a190", "", "" },
	{ "/docker/" ID "0", "", "" },
	{ "/docker/8d2f", "", "" },
	{ "/system.slice/docker-.scope", "", "" },
	{ "/docker-" ID ".scop", "", "" },
	{ "/kubepods/pod1f0c6a3e-5d0b-4c43-9d2e-6a5e4f1b2c3", "", "" },
	{ "/kubepods/pod1f0c6a3e-5d0b-4c43-9d2e+6a5e4f1b2c3d", "", "" },
	{ "/kubepods/pod", "", "" },
	{ "/.slice", "", "" },
	{ "/-.slice", "", "" },
	{ "/machine-a\\x2.scope", "", "" },
	{ "/machine-a\\x2g.scope", "", "" },
	{ "/machine-a\\.scope", "", "" },
	{ "/machine-a\\x0ab.scope", "", "" },	/* a line's end */
	{ "/lxc.payload.\033[31mred", "", "" },
	{ "/lxc.payload.a b", "", "" },
	{ "/lxc.payload.", "", "" },
	{ "/lxc.payload." ID, ID, "" },		/* 64 characters, the most */
	{ "/lxc.payload." ID "x", "", "" },
};

static void check(const struct path *p)
{
	char container[ST_CGROUP_NAME] = "", pod[ST_CGROUP_NAME] = "", path[512];
	struct st_cgroup_name name = { .text = "untouched" };

	snprintf(path, sizeof(path), "%s", p->path);
	for (char *dir, *rest = path; (dir = strsep(&rest, "/"));) {
		enum st_cgroup_kind kind = st_cgroup_name(unit_str(dir), &name);

		if (kind == ST_CGROUP_CONTAINER && !*container)
			strcpy(container, name.text);
		if (kind == ST_CGROUP_POD && !*pod)
			strcpy(pod, name.text);
		CHECK(kind == ST_CGROUP_OTHER || name.len == strlen(name.text));
	}
	CHECK_STRING(container, p->container);
	CHECK_STRING(pod, p->pod);
}

/* Nothing is read outside of a name, whatever is in it: each lies at the end of a block of its own. */
static void test_odd_bytes(void)
{
	static const char pieces[][16] = { "lxc.payload.", "machine-", ".scope", ".slice", "\\x2d",
					   "\\x", "pod", "-", "\xff", "libpod_pod_" };
	struct st_cgroup_name name;

	for (int i = 0; i < 20000; i++) {
		char text[80] = "";
		struct st_str s;
		char *own;

		while (strlen(text) < 60 && unit_random(5))
			strcat(text, pieces[unit_random(ARRAY_SIZE(pieces))]);
		s = unit_str(text);
		own = malloc(s.len + 1);
		memcpy(own, text, s.len + 1);
		st_cgroup_name((struct st_str){ own, s.len }, &name);
		free(own);
	}
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		check(&paths[i]);
	test_odd_bytes();
	return unit_failures != 0;
}
