#include "warden.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Newer than some headers; the same number on every architecture. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#define SYS_io_uring_register 427
#endif
#ifndef SYS_fspick
#define SYS_fspick 433
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif

#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE 62
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif
#define IOPRIO_WHO_PROCESS 1
#define SET_OWNER 0x8901       /* FIOSETOWN */
#define SET_OWNER_GROUP 0x8902 /* SIOCSPGRP */
#define TYPE_OF_SOCKET 0xf    /* without SOCK_NONBLOCK and SOCK_CLOEXEC */
#define OPTION_IP_OPTIONS 4
#define OPTION_IPV6_2292RTHDR 5
#define OPTION_IPV6_RTHDR 57

/* Never needed by a plugin. Each would let it out of its group, its folder or its rights, or act on a process that it
   names by a number, which may be anybody's. */
static const int denied[] = {
    SYS_setsid, SYS_setpgid, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise,
    SYS_process_mrelease, SYS_kcmp, SYS_migrate_pages, SYS_move_pages, SYS_pidfd_getfd, SYS_setns,
    SYS_unshare, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_mount_setattr, SYS_move_mount,
    SYS_open_tree, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_fanotify_mark, SYS_quotactl, SYS_quotactl_fd, SYS_acct,
    SYS_swapon, SYS_swapoff, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_reboot, SYS_settimeofday, SYS_clock_settime, SYS_sethostname, SYS_setdomainname,
    SYS_syslog, SYS_vhangup, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_memfd_secret, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_personality, SYS_lookup_dcookie, SYS_nfsservctl,
#if defined(__x86_64__)
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS__sysctl, SYS_create_module, SYS_query_module,
    SYS_get_kernel_syms,
#endif
};

/* Outlives the process, is found by a number or a name, and is of no folder that Landlock watches. */
static const int queues[] = {SYS_msgget,  SYS_msgsnd,     SYS_msgrcv,       SYS_msgctl,
                             SYS_mq_open, SYS_mq_unlink,  SYS_mq_timedsend, SYS_mq_timedreceive,
                             SYS_mq_notify, SYS_mq_getsetattr};
/* The same; but ALSA's mixing and splitting of a sound card is made of these. */
static const int shared_memory[] = {SYS_shmget, SYS_shmat,      SYS_shmctl, SYS_shmdt,
                                    SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl};

/* Signals by a number, where nothing else keeps them in. */
static const int signalling[] = {SYS_kill, SYS_tkill, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo,
                                 SYS_rt_tgsigqueueinfo};

/* With a socket of its own; a pair that a plugin makes for itself comes without an address. */
static const int addressing[] = {SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4};

static void add(struct filter *filter, struct sock_filter instruction) {
  filter->code[filter->length++] = instruction;
}

#define STATEMENT(code, k) add(filter, (struct sock_filter)BPF_STMT(code, k))
#define JUMP(test, k, yes, no) \
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, (unsigned)(k), yes, no))
#define NUMBER() STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
/* The lower half of an argument: the kernel reads no more of an int. */
#define ARGUMENT(index) STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define MASK(bits) STATEMENT(BPF_ALU | BPF_AND | BPF_K, bits)

/* Where a jump within a rule leads, put in when the rule is finished: no rule is longer. */
enum { NEXT = 0, REFUSE = 253, ALLOW = 254, ELSEWHERE = 255 };

/* A rule about the arguments of one call: what is not of it goes on to the next rule. */
static unsigned short begin(struct filter *filter, int number) {
  unsigned short start = filter->length;
  NUMBER();
  JUMP(BPF_JEQ, number, NEXT, ELSEWHERE);
  return start;
}

/* What comes to the end of a rule is refused. */
static void finish(struct filter *filter, unsigned short start, int error) {
  unsigned short end = filter->length;
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  for (unsigned short at = start; at < end; at++) {
    struct sock_filter *jump = &filter->code[at];
    if (BPF_CLASS(jump->code) != BPF_JMP) continue;
    if (jump->jt >= REFUSE) jump->jt = (unsigned char)(end + jump->jt - REFUSE - at - 1);
    if (jump->jf >= REFUSE) jump->jf = (unsigned char)(end + jump->jf - REFUSE - at - 1);
  }
}

static void refuse_all(struct filter *filter, const int *numbers, size_t count, int error) {
  NUMBER();
  for (size_t i = 0; i < count; i++) {
    JUMP(BPF_JEQ, numbers[i], 0, 1);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
  }
}
#define REFUSE_ALL(list, error) refuse_all(filter, list, sizeof list / sizeof *list, error)

/* A call that may be made with one value of an argument only. */
static void only_with(struct filter *filter, int number, int index, unsigned wanted) {
  unsigned short rule = begin(filter, number);
  ARGUMENT(index);
  JUMP(BPF_JEQ, wanted, ALLOW, REFUSE);
  finish(filter, rule, EPERM);
}

/* A call that may be made with one value of each of its first two arguments only. */
static void only_with_both(struct filter *filter, int number, unsigned first, unsigned second) {
  unsigned short rule = begin(filter, number);
  ARGUMENT(0);
  JUMP(BPF_JEQ, first, NEXT, REFUSE);
  ARGUMENT(1);
  JUMP(BPF_JEQ, second, ALLOW, REFUSE);
  finish(filter, rule, EPERM);
}

/* A call that may be made with anything but some values of an argument, such as the request of ioctl. */
static void never_with(struct filter *filter, int number, int index, const unsigned *values, size_t count) {
  unsigned short rule = begin(filter, number);
  ARGUMENT(index);
  for (size_t i = 0; i < count; i++) JUMP(BPF_JEQ, values[i], REFUSE, NEXT);
  JUMP(BPF_JEQ, values[0], REFUSE, ALLOW);
  finish(filter, rule, EPERM);
}
#define NEVER_WITH(number, index, ...)                                             \
  do {                                                                             \
    const unsigned values[] = {__VA_ARGS__};                                       \
    never_with(filter, number, index, values, sizeof values / sizeof *values);     \
  } while (0)

/* What names a process by its number is for the caller itself, which is 0. */
static void keep_to_oneself(struct filter *filter) {
  only_with(filter, SYS_prlimit64, 0, 0);
  only_with(filter, SYS_sched_setscheduler, 0, 0);
  only_with(filter, SYS_sched_setparam, 0, 0);
  only_with(filter, SYS_sched_setattr, 0, 0);
  only_with(filter, SYS_sched_setaffinity, 0, 0);
  only_with_both(filter, SYS_setpriority, PRIO_PROCESS, 0);
  only_with_both(filter, SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0);
  NEVER_WITH(SYS_fcntl, 1, F_SETOWN, F_SETOWN_EX, F_SETSIG);
  NEVER_WITH(SYS_ioctl, 1, SET_OWNER, SET_OWNER_GROUP, TIOCSTI, TIOCLINUX, TIOCCONS, TIOCSCTTY);
  NEVER_WITH(SYS_prctl, 0, PR_SET_PTRACER, PR_SCHED_CORE);
}

/* Threads and processes, but in no new namespace, which has its own full rights, and for no other parent. The C library
   makes do with clone where clone3, whose flags lie in memory, is not there. */
static void stay_in_namespaces(struct filter *filter) {
  static const int clone3[] = {SYS_clone3};
  unsigned short rule = begin(filter, SYS_clone);
  ARGUMENT(0);
  JUMP(BPF_JSET, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                     CLONE_NEWNET | CLONE_PARENT, REFUSE, ALLOW);
  finish(filter, rule, EPERM);
  REFUSE_ALL(clone3, ENOSYS);
}

/* A socket option whose value is an address, written into packets beside the one that was connected to. */
static void refuse_option(struct filter *filter, unsigned level, unsigned option) {
  unsigned short rule = begin(filter, SYS_setsockopt);
  ARGUMENT(1);
  JUMP(BPF_JEQ, level, NEXT, ELSEWHERE);
  ARGUMENT(2);
  JUMP(BPF_JEQ, option, REFUSE, ELSEWHERE);
  finish(filter, rule, EPERM);
}

/* Streams and datagrams of the two protocols whose every connection is made by connect; netlink for the routes that the
   resolution of names asks for. */
static void allow_internet(struct filter *filter) {
  unsigned short rule = begin(filter, SYS_socket);
  ARGUMENT(0);
  JUMP(BPF_JEQ, AF_NETLINK, NEXT, ELSEWHERE);
  ARGUMENT(2);
  JUMP(BPF_JEQ, NETLINK_ROUTE, ALLOW, REFUSE);
  finish(filter, rule, EACCES);
  rule = begin(filter, SYS_socket);
  ARGUMENT(0);
  JUMP(BPF_JEQ, AF_INET, 1, NEXT);
  JUMP(BPF_JEQ, AF_INET6, NEXT, REFUSE);
  ARGUMENT(1);
  MASK(TYPE_OF_SOCKET);
  JUMP(BPF_JEQ, SOCK_STREAM, 1, NEXT);
  JUMP(BPF_JEQ, SOCK_DGRAM, NEXT, REFUSE);
  ARGUMENT(2);
  JUMP(BPF_JEQ, 0, ALLOW, NEXT);
  JUMP(BPF_JEQ, IPPROTO_TCP, ALLOW, NEXT);
  JUMP(BPF_JEQ, IPPROTO_UDP, ALLOW, REFUSE);
  finish(filter, rule, EACCES);
  refuse_option(filter, IPPROTO_IP, OPTION_IP_OPTIONS);
  refuse_option(filter, IPPROTO_IPV6, OPTION_IPV6_2292RTHDR);
  refuse_option(filter, IPPROTO_IPV6, OPTION_IPV6_RTHDR);
}

/* ALSA mixes and splits a sound card by memory that programs share. */
static bool has_sound_card(const struct order *order) {
  for (int i = 0; order->devices[i]; i++)
    if (strncmp(order->devices[i], "/dev/snd", 8) == 0) return true;
  return false;
}

static void restrict_sockets(struct filter *filter, bool may_open_sockets) {
  static const int opening[] = {SYS_socket};
  /* One of a pair of datagram sockets can send to every socket of the machine that has a path. */
  unsigned short rule = begin(filter, SYS_socketpair);
  ARGUMENT(1);
  MASK(TYPE_OF_SOCKET);
  JUMP(BPF_JEQ, SOCK_STREAM, ALLOW, REFUSE);
  finish(filter, rule, EACCES);
  if (may_open_sockets) return allow_internet(filter);
  REFUSE_ALL(opening, EACCES);
  REFUSE_ALL(addressing, EACCES);
}

static void build(struct filter *filter, const struct order *order, int abi, bool signals_are_kept_in) {
  filter->length = 0;
#ifdef NATIVE_ARCHITECTURE
  static const int truncating[] = {SYS_truncate};
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  JUMP(BPF_JEQ, NATIVE_ARCHITECTURE, 1, 0);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  NUMBER();
  /* The x32 numbers of x86-64 would be a second door; no other architecture has numbers so high. */
  JUMP(BPF_JGE, 0x40000000, 0, 1);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  REFUSE_ALL(denied, EPERM);
  REFUSE_ALL(queues, EPERM);
  if (!has_sound_card(order)) REFUSE_ALL(shared_memory, EPERM);
  if (abi < 3) REFUSE_ALL(truncating, EPERM);
  if (!signals_are_kept_in) {
    REFUSE_ALL(signalling, EPERM);
    /* To itself it is abort(). */
    only_with(filter, SYS_tgkill, 0, (unsigned)getpid());
  }
  keep_to_oneself(filter);
  stay_in_namespaces(filter);
  restrict_sockets(filter, order->may_open_sockets);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
#else
  (void)order, (void)abi, (void)signals_are_kept_in;
#endif
}

static int apply(struct filter *filter, unsigned flags) {
  struct sock_fprog program = {.len = filter->length, .filter = filter->code};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

bool seccomp_is_available(void) {
#ifdef NATIVE_ARCHITECTURE
  unsigned action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
  return false;
#endif
}

int seccomp_apply(const struct order *order, int abi) {
  struct filter filter;
  /* Landlock keeps signals in from version 6; in a namespace of its own there is nobody else to name. */
  build(&filter, order, abi, abi >= 6 || order->has_own_processes);
  return apply(&filter, 0);
}

/* What the warden does once the plugin runs: it reads what a hostile program wrote, and needs little for it. */
static const int warden_calls[] = {
    SYS_read, SYS_write, SYS_close, SYS_ioctl, SYS_connect, SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_setsockopt,
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_getfd, SYS_tgkill, SYS_wait4, SYS_waitid,
    SYS_seccomp, SYS_futex, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_clone,
    SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_sched_yield, SYS_nanosleep, SYS_clock_nanosleep,
    SYS_gettid, SYS_getpid, SYS_exit, SYS_exit_group, SYS_sched_getaffinity,
};

int seccomp_apply_to_warden(void) {
#ifdef NATIVE_ARCHITECTURE
  struct filter own = {.length = 0}, *filter = &own;
  STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  JUMP(BPF_JEQ, NATIVE_ARCHITECTURE, 1, 0);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  NUMBER();
  for (size_t i = 0; i < sizeof warden_calls / sizeof *warden_calls; i++) {
    JUMP(BPF_JEQ, warden_calls[i], 0, 1);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  /* The kernel's answer to which way a packet takes. */
  unsigned short rule = begin(filter, SYS_socket);
  ARGUMENT(0);
  JUMP(BPF_JEQ, AF_NETLINK, ALLOW, REFUSE);
  finish(filter, rule, EPERM);
  /* Threads are made with it unless it is not there. */
  rule = begin(filter, SYS_clone3);
  finish(filter, rule, ENOSYS);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  return apply(filter, SECCOMP_FILTER_FLAG_TSYNC);
#else
  return 0;
#endif
}

int seccomp_watch_addresses(void) {
#ifdef NATIVE_ARCHITECTURE
  struct filter own = {.length = 0}, *filter = &own;
  static const int named[] = {SYS_connect, SYS_sendmsg, SYS_sendmmsg};
  NUMBER();
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    JUMP(BPF_JEQ, named[i], 0, 1);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  /* What is sent without an address goes where it was connected to. */
  JUMP(BPF_JEQ, SYS_sendto, 1, 0);
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  for (size_t half = 0; half < 2; half++) {
    STATEMENT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(offsetof(struct seccomp_data, args[4]) + 4 * half));
    JUMP(BPF_JEQ, 0, 1, 0);
    STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  }
  STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  /* So that a signal does not begin a call again that has been made already; since Linux 5.19. */
  int listener = apply(filter, SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  return listener >= 0 ? listener : apply(filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
#else
  errno = ENOSYS;
  return -1;
#endif
}
