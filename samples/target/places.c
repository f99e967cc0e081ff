// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/fargs_target_places: calls a function with all kinds of addresses: addresses of memory in
 * use, of freed memory, and addresses at which there is no memory.
 *
 * Each open file has its own list of places, created on open. Reading shows one place per line:
 *
 *	NUMBER NAME ADDRESS BYTES
 *
 * BYTES are the known bytes at ADDRESS in hex, followed by a character for the bytes after them:
 *
 *	.	cannot be read
 *	+	can be read
 *	?	unknown
 *
 * Writing a command calls fargs_p_look(ADDRESS, NUMBER), or adds a place to the list:
 *
 *	task N			calls it for each place, in the order of the list, N times
 *	hardirq N		the same in a hard interrupt that interrupts the writing task
 *	kthread N		the same in a task without user memory
 *	add NAME ADDRESS	adds a place whose bytes are unknown to this module (?)
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/cpu_entry_area.h>
#include <asm/fixmap.h>
#include <asm/io_apic.h>
#include <asm/vsyscall.h>

#include "target.h"

#define PROC_NAME	"fargs_target_places"
#define PLACES_MAX	64
#define KNOWN_MAX	32
#define TIMES_MAX	100000u
#define OBJECT_BYTES	64

struct place {
	char name[24];
	unsigned long addr;
	u8 bytes[KNOWN_MAX];
	unsigned int nr_bytes;
	char rest;
};

/* The places of one open file. */
struct places {
	struct mutex lock;	/* protects all members; held while a command runs */
	struct place place[PLACES_MAX];
	unsigned int nr;
	u8 *kmalloced;
	u8 *kept, *freed;	/* objects of one slab; @freed is NULL once that object is freed */
	u8 *vmalloced;		/* one page */
	struct page *page;
	void *mapped;		/* address at which @page is mapped */
	void __iomem *device;
	u64 __percpu *percpu;
	/* How many more times the hardirq or kthread command visits all places. */
	unsigned int times;
	struct irq_work hardirq;
	struct completion done;
};

static struct kmem_cache *cache;
static unsigned long init_code;		/* address of init code, which the kernel has freed */

/*
 * A string with a NUL in the middle of the known bytes, and a string that is copied without its
 * NUL.
 */
static const char text[KNOWN_MAX] __aligned(32) = "what is where it was\0behind it";
static const char endless[] = "no end";

void fargs_p_look(const void *at, u64 number);

fargs_t_target void fargs_p_look(const void *at, u64 number)
{
	fargs_t_use(at);
	fargs_t_use(number);
}

static void add(struct places *p, const char *name, unsigned long addr, const void *bytes,
		unsigned int nr_bytes, char rest)
{
	struct place *place = &p->place[p->nr];

	if (p->nr == PLACES_MAX)
		return;
	p->nr++;
	strscpy(place->name, name, sizeof(place->name));
	place->addr = addr;
	place->nr_bytes = nr_bytes;
	place->rest = rest;
	if (nr_bytes)
		memcpy(place->bytes, bytes, nr_bytes);
}

static void add_bad(struct places *p, const char *name, unsigned long addr)
{
	add(p, name, addr, NULL, 0, '.');
}

static void add_text(struct places *p, const char *name, const void *at)
{
	add(p, name, (unsigned long)at, text, sizeof(text), '+');
}

static void add_unknown(struct places *p, const char *name, unsigned long addr)
{
	add(p, name, addr, NULL, 0, '?');
}

/*
 * Adds addresses of slab objects, one of which is freed, and of the kernel's data about an object.
 * The cache of the freed object has a constructor: the allocator therefore stores its own data past
 * the end of a freed object, and does not change the contents of the object. p->kept is an object
 * of the same slab, and is not freed, so that the slab is not freed.
 */
static int make_objects(struct places *p)
{
	p->kmalloced = kmalloc(OBJECT_BYTES, GFP_KERNEL);
	p->kept = kmem_cache_alloc(cache, GFP_KERNEL);
	p->freed = kmem_cache_alloc(cache, GFP_KERNEL);
	if (!p->kmalloced || !p->kept || !p->freed)
		return -ENOMEM;
	memcpy(p->kmalloced, text, sizeof(text));
	memcpy(p->freed, text, sizeof(text));
	add_text(p, "kmalloc", p->kmalloced);
	if (want_init_on_free())
		add(p, "kfreed", (unsigned long)p->freed, NULL, 0, '+');
	else
		add_text(p, "kfreed", p->freed);
	kmem_cache_free(cache, p->freed);
	p->freed = NULL;
#ifdef CONFIG_KASAN_GENERIC
	/* A shadow byte describes eight bytes of the object; 0: all eight are valid. */
	add(p, "kasan_shadow", (unsigned long)kasan_mem_to_shadow(p->kmalloced),
	    "\0\0\0\0\0\0\0", OBJECT_BYTES / 8, '+');
#endif
	add(p, "vmemmap", (unsigned long)virt_to_page(p->kmalloced), NULL, 0, '+');
	return 0;
}

/*
 * Adds addresses of pages that are mapped, unmapped or freed, and of guard pages.
 *
 * An address unmapped by vm_unmap_ram() is not reused while another page in the same vmap block is
 * mapped. Memory freed by vfree() and __free_page() may be reused at any time.
 */
static int make_areas(struct places *p)
{
	struct page *freed_page = alloc_page(GFP_KERNEL);
	void *freed = vmalloc(PAGE_SIZE), *unmapped;

	p->vmalloced = vmalloc(PAGE_SIZE);
	p->page = alloc_page(GFP_KERNEL);
	if (freed_page)
		add_unknown(p, "page_freed", (unsigned long)page_address(freed_page));
	if (freed_page)
		__free_page(freed_page);
	add_unknown(p, "vfreed", (unsigned long)freed);
	vfree(freed);
	if (!p->vmalloced || !p->page)
		return -ENOMEM;
	memset(p->vmalloced, 'v', PAGE_SIZE);
	memcpy(p->vmalloced, text, sizeof(text));
	memcpy(p->vmalloced + PAGE_SIZE - strlen(endless), endless, strlen(endless));
	add_text(p, "vmalloc", p->vmalloced);
	add(p, "vmalloc_edge", (unsigned long)p->vmalloced + PAGE_SIZE - strlen(endless), endless,
	    strlen(endless), '.');
	add_bad(p, "vmalloc_guard", (unsigned long)p->vmalloced + PAGE_SIZE);

	memcpy(page_address(p->page), text, sizeof(text));
	p->mapped = vm_map_ram(&p->page, 1, NUMA_NO_NODE);
	unmapped = vm_map_ram(&p->page, 1, NUMA_NO_NODE);
	if (!p->mapped || !unmapped)
		return -ENOMEM;
	vm_unmap_ram(unmapped, 1);
	add_text(p, "vmap", p->mapped);
	add_bad(p, "vmap_unmapped", (unsigned long)unmapped);
	if (IS_ENABLED(CONFIG_VMAP_STACK))
		add_bad(p, "stack_guard", (unsigned long)task_stack_page(current) + THREAD_SIZE);
	return 0;
}

/*
 * Adds addresses that must not be read: those of the I/O APIC and of the local APIC, and that of an
 * unused fixmap entry.
 */
static int make_devices(struct places *p)
{
	p->device = ioremap(IO_APIC_DEFAULT_PHYS_BASE, PAGE_SIZE);
	if (!p->device)
		return -ENOMEM;
	add_bad(p, "device", (unsigned long)p->device);
	add_bad(p, "fixmap_device", fix_to_virt(FIX_APIC_BASE));
	add_bad(p, "fixmap_hole", fix_to_virt(FIX_BTMAP_BEGIN));
	add_bad(p, "direct_map_device", (unsigned long)__va(IO_APIC_DEFAULT_PHYS_BASE));
	return 0;
}

/* Adds addresses that need no setup: in this module, in the kernel, and unmapped ones. */
static void make_rest(struct places *p)
{
	const unsigned long kernel_start = ~__VIRTUAL_MASK;
	const unsigned long no_ram = (unsigned long)high_memory + (1ul << 30);

	add_text(p, "static", text);
	add(p, "code", (unsigned long)fargs_p_look, NULL, 0, '+');
	add_bad(p, "null", 0);
	add_bad(p, "null_member", 24);
	add_bad(p, "first_page_end", PAGE_SIZE - 4);
	add_bad(p, "user_end", TASK_SIZE_MAX);
	add_bad(p, "across_user_end", TASK_SIZE_MAX - 1);
	add_bad(p, "not_canonical", 0xdead000000000100ul);
	add_bad(p, "all_sixes", 0x6b6b6b6b6b6b6b6bul);
	add_bad(p, "first_not_canonical", __VIRTUAL_MASK + 1);
	add_bad(p, "last_not_canonical", kernel_start - 1);
	add_bad(p, "across_kernel_start", kernel_start - 8);
	add_bad(p, "no_ram", no_ram);
	add_bad(p, "no_page", (unsigned long)virt_to_page(no_ram));
	add_unknown(p, "direct_map", PAGE_OFFSET);
	add_unknown(p, "init_code", init_code);
	add_unknown(p, "percpu_offset", (unsigned long)p->percpu);
	add_unknown(p, "cpu_entry_area", CPU_ENTRY_AREA_BASE);
	add_bad(p, "vsyscall", VSYSCALL_ADDR);
	add_bad(p, "error", -EINVAL);
	add_bad(p, "around_end", -4ul);
	add_bad(p, "last_byte", -1ul);
}

static void places_free(struct places *p)
{
	free_percpu(p->percpu);
	if (p->device)
		iounmap(p->device);
	if (p->mapped)
		vm_unmap_ram(p->mapped, 1);
	if (p->page)
		__free_page(p->page);
	vfree(p->vmalloced);
	if (p->freed)
		kmem_cache_free(cache, p->freed);
	if (p->kept)
		kmem_cache_free(cache, p->kept);
	kfree(p->kmalloced);
	kvfree(p);
}

static struct places *places_make(void)
{
	struct places *p = kvzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	mutex_init(&p->lock);
	p->percpu = alloc_percpu(u64);
	if (!p->percpu || make_objects(p) || make_areas(p) || make_devices(p)) {
		places_free(p);
		return NULL;
	}
	make_rest(p);
	return p;
}

static void look(const struct places *p, unsigned int times)
{
	unsigned int i;

	while (times--)
		for (i = 0; i < p->nr; i++)
			fargs_p_look((const void *)p->place[i].addr, i);
}

static void look_in_hardirq(struct irq_work *work)
{
	struct places *p = container_of(work, struct places, hardirq);

	look(p, 1);
	/* Pairs with the smp_load_acquire() in command_hardirq(). */
	smp_store_release(&p->times, p->times - 1);
}

/*
 * Calls fargs_p_look() for all places, @times times, in a hard interrupt. The task waits for the
 * interrupt with preemption disabled, so that the interrupt interrupts this task and no other.
 */
static void command_hardirq(struct places *p, unsigned int times)
{
	while (times--) {
		preempt_disable();
		p->times = 1;
		init_irq_work(&p->hardirq, look_in_hardirq);
		irq_work_queue(&p->hardirq);
		/* Pairs with the smp_store_release() in look_in_hardirq(). */
		while (smp_load_acquire(&p->times))
			cpu_relax();
		preempt_enable();
		irq_work_sync(&p->hardirq);
		cond_resched();
	}
}

static int look_in_kthread(void *data)
{
	struct places *p = data;

	look(p, p->times);
	complete(&p->done);
	return 0;
}

static int command_kthread(struct places *p, unsigned int times)
{
	struct task_struct *task;

	p->times = times;
	init_completion(&p->done);
	task = kthread_create(look_in_kthread, p, "fargs_places");
	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	/* Run on the current CPU, because the test reads the ring of this CPU. */
	kthread_bind(task, raw_smp_processor_id());
	wake_up_process(task);
	wait_for_completion(&p->done);
	kthread_stop(task);	/* waits until the thread has left this module's text */
	put_task_struct(task);
	return 0;
}

static int run_command(struct places *p, const char *command)
{
	unsigned long long addr;
	char name[24];
	unsigned int times;

	if (sscanf(command, "add %23s %llx", name, &addr) == 2) {
		if (p->nr == PLACES_MAX)
			return -ENOSPC;
		add_unknown(p, name, addr);
		return 0;
	}
	if (sscanf(command, "%23s %u", name, &times) != 2)
		return -EINVAL;
	if (times > TIMES_MAX)
		return -ERANGE;
	if (!strcmp(name, "kthread"))
		return command_kthread(p, times);
	if (!strcmp(name, "hardirq"))
		command_hardirq(p, times);
	else if (!strcmp(name, "task"))
		look(p, times);
	else
		return -EINVAL;
	return 0;
}

static ssize_t places_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	struct places *p = ((struct seq_file *)file->private_data)->private;
	char command[64];
	int err;

	if (count >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, from, count))
		return -EFAULT;
	command[count] = '\0';
	mutex_lock(&p->lock);
	err = run_command(p, command);
	mutex_unlock(&p->lock);
	return err ? err : count;
}

static int places_show(struct seq_file *list, void *unused)
{
	struct places *p = list->private;
	const struct place *place;

	mutex_lock(&p->lock);
	for (place = p->place; place < p->place + p->nr; place++)
		seq_printf(list, "%u %s %#lx %*phN%c\n", (unsigned int)(place - p->place),
			   place->name, place->addr, place->nr_bytes, place->bytes, place->rest);
	mutex_unlock(&p->lock);
	return 0;
}

static int places_open(struct inode *inode, struct file *file)
{
	struct places *p = places_make();
	int err;

	if (!p)
		return -ENOMEM;
	err = single_open(file, places_show, p);
	if (err)
		places_free(p);
	return err;
}

static int places_release(struct inode *inode, struct file *file)
{
	places_free(((struct seq_file *)file->private_data)->private);
	return single_release(inode, file);
}

static const struct proc_ops ops = {
	.proc_open = places_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = places_release,
	.proc_write = places_write,
};

static void construct(void *object)
{
	memset(object, 0, OBJECT_BYTES);
}

int __init target_places_init(void)
{
	cache = kmem_cache_create(PROC_NAME, OBJECT_BYTES, 0, 0, construct);
	if (!cache)
		return -ENOMEM;
	init_code = (unsigned long)target_places_init;
	if (proc_create(PROC_NAME, 0600, NULL, &ops))
		return 0;
	kmem_cache_destroy(cache);
	return -ENOMEM;
}

void target_places_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
	kmem_cache_destroy(cache);
}
