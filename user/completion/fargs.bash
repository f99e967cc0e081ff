# SPDX-License-Identifier: GPL-2.0-only
# Completion for bash: verbs, options, functions and files.

_fargs_functions()
{
	local dir word=$1 file

	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		file=$dir/available_filter_functions
		[ -r "$file" ] || continue
		# Globs stay as they are typed; only what begins with the word is read on.
		case $word in
		*[*?[]*) return ;;
		esac
		awk -v word="$word" 'index($1, word) == 1 && $1 !~ /^__ftrace_invalid/ { print $1 }' \
			"$file" 2>/dev/null
		return
	done
}

_fargs_tracepoints()
{
	local word=$1

	case $word in
	*[*?[]*) return ;;
	esac
	awk -v word="$word" '$3 ~ /^__traceiter_/ && $3 !~ /[.]/ {
		name = substr($3, 13)
		if (index(name, word) == 1)
			print name
	}' /proc/kallsyms 2>/dev/null
}

# A colon may be a word of its own.
_fargs_events()
{
	local dir word=$1 before=

	if [ "$word" = : ]; then
		before=${COMP_WORDS[COMP_CWORD-1]}: word=
	fi
	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -r "$dir/available_events" ] || continue
		mapfile -t COMPREPLY < <(compgen -W "$(cat "$dir/available_events")" -- \
			"$before$word")
		[[ $COMP_WORDBREAKS != *:* ]] || [[ $before$word != *:* ]] ||
			COMPREPLY=("${COMPREPLY[@]#*:}")
		return
	done
}

# Those of the working directory, of perf and of fargs; with a slash, files.
_fargs_dlfilters()
{
	local dir word=$1

	case $word in
	*/*)
		compgen -f -X '!*.so' -- "$word"
		return
		;;
	esac
	for dir in . /usr/local/lib/fargs/dlfilters /usr/lib/perf-core/dlfilters \
		/usr/libexec/perf-core/dlfilters; do
		[ -d "$dir" ] || continue
		(cd "$dir" && compgen -f -X '!*.so' -- "$word")
	done
	compgen -d -S / -- "$word"
}

_fargs()
{
	local verbs="list trace record report export dump info recover check"
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local verb=${COMP_WORDS[1]} options i

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$cur")
		return
	fi
	# Behind "--" is a command line of its own.
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			else
				mapfile -t COMPREPLY < <(compgen -c -f -- "$cur")
			fi
			return
		fi
	done
	case $prev in
	-f | -n | --under | --trigger | --graph-function)
		mapfile -t COMPREPLY < <(compgen -W "$(_fargs_functions "$cur")" -- "$cur")
		return
		;;
	-t | --trigger-tracepoint)
		mapfile -t COMPREPLY < <(compgen -W "$(_fargs_tracepoints "$cur")" -- "$cur")
		return
		;;
	-e)
		_fargs_events "$cur"
		return
		;;
	-m)
		mapfile -t COMPREPLY < <(compgen -W "256K 1M 4M 16M 64M" -- "$cur")
		return
		;;
	-D | --deref)
		mapfile -t COMPREPLY < <(compgen -W "0 1" -- "$cur")
		return
		;;
	-s | --size)
		mapfile -t COMPREPLY < <(compgen -W "64 256 1024 2048" -- "$cur")
		return
		;;
	--cgroup)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W "chrome ctf folded perfetto sqlite" -- "$cur")
		return
		;;
	--dlfilter)
		mapfile -t COMPREPLY < <(_fargs_dlfilters "$cur")
		return
		;;
	--dlarg)
		return
		;;
	--by)
		mapfile -t COMPREPLY < <(compgen -W "count duration" -- "$cur")
		return
		;;
	--sort)
		mapfile -t COMPREPLY < <(compgen -W \
			"count name errors bytes total mean p50 p90 p99 max" -- "$cur")
		return
		;;
	--itrace)
		mapfile -t COMPREPLY < <(compgen -W "b c r cr i i1000i e be ie" -- "$cur")
		return
		;;
	-o | --output | --btf | --kcore | --guest | --guest-kallsyms | --guestmount)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	esac
	case $verb in
	list) options="-f -t -e -n --proto --only-errors --refused --btf --help" ;;
	trace | record) options="-f -t -e --event --filter --guest --guest-kallsyms --guestmount -n -a --all -m -o --output --btf --comm --cpu --pid --tid --uid -D --deref -g --graph \
--min-duration --stack --maxactive --switches --realtime --under --trigger --trigger-tracepoint -s --size --record-size --only-errors --cgroup --follow --zeros -v --verbose --help --"
		[ "$verb" = record ] && options+=" --pt --compress --no-compress --sync --flight --after --count --split" ;;
	report | export | dump | info | recover)
		if [[ $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		options="--help"
		[ "$verb" = report ] && options="-C --cpu --diff --fields --filter --guest --guest-kallsyms --guestmount --hist --json --kvm --ns --time -r --raw -z --zeros --threads --verify --itrace --call-trace --call-ret-trace --graph-function --max-graph-depth --show-tracer --sort --summary --top --kcore --dlfilter --dlarg --list-dlfilters --help"
		[ "$verb" = export ] && options="--format -o --output --by --filter -C --cpu --time --help"
		[ "$verb" = dump ] && options="--pt -C --cpu --help"
		[ "$verb" = recover ] && options="-o --output --help"
		;;
	check) options="--btf --help" ;;
	esac
	# What trace alone has: a file holds all there is.
	[ "$verb" != record ] || options=${options/ --zeros/}
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
}

complete -o filenames -F _fargs fargs
