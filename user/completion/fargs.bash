# SPDX-License-Identifier: GPL-2.0-only
# Completion for bash: verbs, options, functions, modules, tracepoints, events and files; in
# quotes, as in -f 'vfs_read(file->f_, also arguments and members.

# Where tracefs has a file, if it may be read.
_fargs_tracefs()
{
	local dir

	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -r "$dir/$1" ] || continue
		echo "$dir/$1"
		return
	done
}

_fargs_modules()
{
	awk -v word="$1" 'index($1, word) == 1 { print $1 ":" }' /proc/modules 2>/dev/null
}

# Those that begin with the word, and modules that do; or, behind MODULE:, that module's.
_fargs_functions()
{
	local word=$1 file module=

	# Globs and expressions stay as they are typed.
	case $word in
	*[*?[\(]*) return ;;
	*:*) module=${word%%:*} word=${word#*:} ;;
	*) _fargs_modules "$word" ;;
	esac
	file=$(_fargs_tracefs available_filter_functions)
	[ -z "$file" ] || awk -v word="$word" -v module="$module" '
		index($1, word) == 1 && $1 !~ /^__ftrace_invalid/ &&
		(module == "" || $2 == "[" module "]") {
			print (module == "" ? "" : module ":") $1
		}' "$file" 2>/dev/null
}

# COMPREPLY of OPTION 'FUNCTION(EXPRESSION: its arguments, or members of what is before -> or a dot.
_fargs_members()
{
	local option=$1 word=$2 name text told asked before='([][A-Za-z0-9_.>$-]+)(->|[.])$'
	local front=$word function=${word%%[( ]*}

	COMPREPLY=()
	[[ $word =~ [A-Za-z0-9_]*$ ]] && front=${word%"${BASH_REMATCH[0]}"}
	asked=$function
	[[ ! $front =~ $before ]] || asked="$function(${BASH_REMATCH[1]})"
	while IFS=$'\t' read -r name text; do
		[[ $front$name != "$word"* ]] || { COMPREPLY+=("$front$name"); told=$text; }
	done < <("${COMP_WORDS[0]}" list --members "$option" "$asked" 2>/dev/null)
	compopt -o nospace 2>/dev/null
	# Where there is but one, bash would end the quotes.
	[ ${#COMPREPLY[@]} = 1 ] || return
	case ${told#const } in
	struct\ *\** | union\ *\**) COMPREPLY+=("${COMPREPLY[0]}->") ;;
	struct\ * | union\ *) COMPREPLY+=("${COMPREPLY[0]}.") ;;
	esac
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

_fargs_events()
{
	local file

	file=$(_fargs_tracefs available_events)
	[ -z "$file" ] || cat "$file"
}

# COMPREPLY of what begins with the word. Where a colon parts words, bash has only what is behind it.
_fargs_reply()
{
	local word=$1 i
	shift

	mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word")
	# Behind a module something is to follow.
	[ ${#COMPREPLY[@]} != 1 ] || [[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
	[[ $COMP_WORDBREAKS == *:* ]] && [[ $word == *:* ]] || return
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"${word%:*}:"}
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
	local verbs="list trace top record report export dump info recover check"
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local verb=${COMP_WORDS[1]} options i

	COMPREPLY=()
	# A colon may be a word of its own: with what is before and behind it, it is one here.
	if [ "$COMP_CWORD" -gt 3 ] && [ "$cur" = : ]; then
		cur=$prev: prev=${COMP_WORDS[COMP_CWORD-2]}
	elif [ "$COMP_CWORD" -gt 4 ] && [ "$prev" = : ]; then
		cur=${COMP_WORDS[COMP_CWORD-2]}:$cur prev=${COMP_WORDS[COMP_CWORD-3]}
	fi
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
	case $prev:$cur in
	-[ft]:[\'\"]*\(* | --under:[\'\"]*\(* | --trigger:[\'\"]*\(*)
		[ "$prev" = -t ] || prev=-f
		_fargs_members "$prev" "${cur:1}"
		return
		;;
	--trigger-tracepoint:[\'\"]*\(*)
		_fargs_members -t "${cur:1}"
		return
		;;
	esac
	case $prev in
	-f | -n | --under | --trigger | --graph-function)
		_fargs_reply "$cur" "$(_fargs_functions "$cur")"
		return
		;;
	-t | --trigger-tracepoint)
		mapfile -t COMPREPLY < <(compgen -W "$(_fargs_tracepoints "$cur")" -- "$cur")
		return
		;;
	-e | --event)
		_fargs_reply "$cur" "$(_fargs_events)"
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
	--color)
		mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur")
		return
		;;
	--duration)
		mapfile -t COMPREPLY < <(compgen -W "1s 10s 60s" -- "$cur")
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
	-o | --output | --html | --btf | --kcore | --guest | --guest-kallsyms | --guestmount)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	esac
	case $verb in
	list) options="-f -t -e -n --proto --members --only-errors --refused --btf --help" ;;
	trace | top | record) options="-f -t -e --event --filter --guest --guest-kallsyms --guestmount -n -a --all -m -o --output --btf --comm --cpu --pid --tid --uid -D --deref -g --graph \
--min-duration --stack --maxactive --switches --realtime --under --trigger --trigger-tracepoint -s --size --record-size --only-errors --cgroup --follow --duration --zeros --count --json --color -v --verbose --help --"
		[ "$verb" = record ] && options+=" --pt --compress --no-compress --sync --flight --after --count --split" ;;
	report | export | dump | info | recover)
		if [[ $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		options="--help"
		[ "$verb" = report ] && options="-C --cpu --diff --fields --filter --follow --guest --guest-kallsyms --guestmount --hist --html --json --kvm --ns --time -r --raw -z --zeros --threads --verify --itrace --call-trace --call-ret-trace --graph-function --max-graph-depth --show-tracer --sort --summary --top --kcore --dlfilter --dlarg --list-dlfilters --help"
		[ "$verb" = export ] && options="--format -o --output --by --filter -C --cpu --time --help"
		[ "$verb" = dump ] && options="--pt -C --cpu --help"
		[ "$verb" = recover ] && options="-o --output --help"
		;;
	check) options="--btf --help" ;;
	esac
	# What trace alone has: a file holds all there is.
	[ "$verb" != record ] || options=${options/ --zeros --count --json --color/}
	[ "$verb" != top ] || { options=${options/ -o --output/}; options=${options/ --zeros --count --json --color/ -b --batch --count --interval --sort --top}; }
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
}

complete -o filenames -F _fargs fargs
