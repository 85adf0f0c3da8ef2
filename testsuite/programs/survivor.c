/*
 * Does what is hard on a tracer, over and over, and knows what must come of it: exit status 0.
 *
 *	survivor signals|jumps|stacks|coroutines|threads|exec [ROUNDS]
 *
 * Without ROUNDS it goes on until SIGTERM.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t over, signals;
static jmp_buf out;

/* The probed functions: their results are known. */
__attribute__((noinline)) long leaf(long n)
{
	asm volatile("" : "+r"(n));
	return 2 * n;
}

__attribute__((noinline)) long deep(long n)
{
	return n ? deep(n - 1) + leaf(n) - n : leaf(n);
}

__attribute__((noinline)) long interrupted(long n)
{
	raise(SIGUSR1);
	return leaf(n);
}

/* A jump: "inner" returns to the caller of "tail". */
__attribute__((noinline)) long inner(long n)
{
	return leaf(n) + 1;
}

__attribute__((noinline, optimize("O2"))) long tail(long n)
{
	return inner(n + 1);
}

__attribute__((noinline)) long jumper(long n)
{
	if (n)
		return jumper(n - 1) + 1;
	longjmp(out, 1);
}

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("%s went wrong\n", what);
	exit(1);
}

static void on_term(int sig)
{
	over = 1;
}

static void on_signal(int sig)
{
	signals++;
	check(deep(3) == 6, "a signal handler's call");
}

static void handle(int sig, void (*fn)(int), int flags)
{
	struct sigaction a = { .sa_handler = fn, .sa_flags = flags | SA_RESTART };

	sigaction(sig, &a, NULL);
}

static void do_signals(void)
{
	int before = signals;

	check(interrupted(4) == 8, "an interrupted function");
	check(signals > before, "a signal");
	check(deep(20) == 210, "a recursion");
	check(tail(1) == 5, "a tail call");
}

static void do_jumps(void)
{
	volatile int jumped = 0;

	if (setjmp(out)) {
		check(jumped, "longjmp");
		check(leaf(1) == 2, "a call after longjmp");
		return;
	}
	jumped = 1;
	check(deep(5) == 15, "a recursion before longjmp");
	jumper(5);
	check(0, "what does not return");
}

static ucontext_t home, away[2];
static char coroutine_stacks[2][65536];
static long met;

/* Not itself probed for its return: the kernel's return probes do not know of other stacks. */
__attribute__((noinline)) static void coroutine(int which)
{
	for (;;) {
		met += leaf(1) + deep(2) - 3;
		swapcontext(&away[which], which ? &home : &away[1]);
	}
}

static void do_coroutines(void)
{
	met = 0;
	for (int i = 0; i < 2; i++) {
		getcontext(&away[i]);
		away[i].uc_stack.ss_sp = coroutine_stacks[i];
		away[i].uc_stack.ss_size = sizeof(coroutine_stacks[i]);
		makecontext(&away[i], (void (*)(void))coroutine, 1, i);
	}
	for (int i = 0; i < 10; i++)
		swapcontext(&home, &away[0]);
	check(met == 40, "coroutines");
}

static void *thread(void *arg)
{
	for (int i = 0; i < 5; i++)
		check(deep(10) == 55 && interrupted(1) == 2, "a thread's call");
	return NULL;
}

static void do_threads(void)
{
	enum { N = 24 };
	pthread_t threads[N];
	int n = 0;

	while (n < N && !pthread_create(&threads[n], NULL, thread, NULL))
		n++;
	check(n == N, "creating threads");
	while (n)
		pthread_join(threads[--n], NULL);
}

/* Children: one forked, one with the parent's memory, one that executes; each with a status. */
static void do_exec(void)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(deep(4) == 10 ? 3 : 4);
	check(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3, "a forked child");
	child = vfork();
	if (!child) {
		execl("/proc/self/exe", "survivor", "signals", "1", NULL);
		_exit(5);
	}
	check(waitpid(child, &status, 0) == child && !status, "a child that executes");
	child = fork();
	if (!child) {
		raise(SIGKILL);
		_exit(6);
	}
	check(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL, "a killed child");
}

/* The same, with a stack of its own for the handler. */
static void do_stacks(void)
{
	do_signals();
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } modes[] = {
		{ "signals", do_signals }, { "jumps", do_jumps }, { "stacks", do_stacks },
		{ "coroutines", do_coroutines }, { "threads", do_threads }, { "exec", do_exec },
	};
	long rounds = argc > 2 ? atol(argv[2]) : -1;
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	static char stack[65536];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	unsigned int i;

	if (argc < 2)
		return 2;
	for (i = 0; i < 6 && strcmp(modes[i].name, argv[1]); i++)
		;
	if (i == 6)
		return 2;
	handle(SIGTERM, on_term, 0);
	sigaltstack(&other, NULL);
	handle(SIGUSR1, on_signal, modes[i].run == do_stacks ? SA_ONSTACK : 0);
	handle(SIGALRM, on_signal, modes[i].run == do_stacks ? SA_ONSTACK : 0);
	if (modes[i].run == do_signals || modes[i].run == do_stacks)
		setitimer(ITIMER_REAL, &often, NULL);
	for (long n = 0; !over && n != rounds; n++) {
		modes[i].run();
		usleep(rounds < 0 ? 5000 : 0);
	}
	return 0;
}
