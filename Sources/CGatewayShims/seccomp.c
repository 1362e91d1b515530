#include "confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Newer than some headers; the same number on every architecture. */
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

/* Never needed by a plugin; each would let it out of its group, its folder or its rights. */
static const int denied[] = {
    SYS_setsid,        SYS_setpgid,       SYS_ptrace,          SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_mount,     SYS_umount2,         SYS_pivot_root,
    SYS_chroot,        SYS_mount_setattr, SYS_move_mount,      SYS_open_tree,
    SYS_fsopen,        SYS_fsmount,       SYS_kexec_load,      SYS_kexec_file_load,
    SYS_init_module,   SYS_finit_module,  SYS_delete_module,   SYS_reboot,
    SYS_swapon,        SYS_swapoff,       SYS_settimeofday,    SYS_clock_settime,
    SYS_sethostname,   SYS_setdomainname, SYS_bpf,             SYS_perf_event_open,
    SYS_userfaultfd,   SYS_unshare,       SYS_setns,           SYS_keyctl,
    SYS_add_key,       SYS_request_key,   SYS_open_by_handle_at, SYS_acct,
    SYS_quotactl,      SYS_io_uring_setup, SYS_pidfd_getfd,    SYS_personality,
};

/* Signals to others, on kernels whose Landlock does not keep them in (ABI below 6). */
static const int signalling[] = {SYS_kill, SYS_tkill, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo,
                                 SYS_rt_tgsigqueueinfo};

static void add(struct homeward_filter *filter, struct sock_filter instruction) {
  filter->code[filter->length++] = instruction;
}

static void refuse(struct homeward_filter *filter, int number, int error) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1));
  add(filter,
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error));
}

/* socket(): internet families with the grant, nothing else; a socketpair needs no permission. */
static void restrict_sockets(struct homeward_filter *filter, bool may_open_sockets) {
  if (!may_open_sockets) {
    refuse(filter, SYS_socket, EACCES);
    return;
  }
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 5));
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, args[0])));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES));
}

void homeward_filter_build(struct homeward_filter *filter, bool may_open_sockets,
                           int landlock_abi) {
  filter->length = 0;
#ifdef NATIVE_ARCHITECTURE
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, arch)));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr)));
  /* The x32 numbers of x86-64 would be a second door; no other architecture has numbers so high. */
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) refuse(filter, denied[i], EPERM);
  if (landlock_abi < 3) refuse(filter, SYS_truncate, EPERM);
  if (landlock_abi < 6)
    for (size_t i = 0; i < sizeof signalling / sizeof *signalling; i++)
      refuse(filter, signalling[i], EPERM);
  restrict_sockets(filter, may_open_sockets);
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
#else
  (void)may_open_sockets;
  (void)landlock_abi;
#endif
}

/* tgkill() to other processes, on kernels whose Landlock does not keep signals in; to itself it is abort(). */
static int keep_signals_in(void) {
#ifdef NATIVE_ARCHITECTURE
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
  return 0;
#endif
}

int homeward_filter_apply(const struct homeward_filter *filter, bool keeps_signals_in) {
  if (filter->length == 0) return 0;
  if (keeps_signals_in && keep_signals_in() != 0) return -1;
  struct sock_fprog program = {.len = filter->length,
                               .filter = (struct sock_filter *)filter->code};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
