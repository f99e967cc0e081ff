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

_fargs()
{
	local verbs="list trace record report info check"
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
	-f | -n)
		mapfile -t COMPREPLY < <(compgen -W "$(_fargs_functions "$cur")" -- "$cur")
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
	-o | --output | --btf)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	esac
	case $verb in
	list) options="-f -n --proto --refused --btf --help" ;;
	trace | record) options="-f -n -a --all -m -o --output --btf --comm --cpu --pid --tid --uid -D --deref -g --graph \
--min-duration --stack --maxactive -s --size -v --verbose --help --" ;;
	report | info)
		if [[ $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		options="--help"
		[ "$verb" = report ] && options="-C --cpu -r --raw --verify --help"
		;;
	check) options="--btf --help" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
}

complete -o filenames -F _fargs fargs
