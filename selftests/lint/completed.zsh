#!/usr/bin/zsh -f
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints what zsh offers for the last of the words, one a line. The functions that completion
# functions call are replaced by functions that print. The shell options are those under which
# zsh calls completion functions.
#
#	zsh -f completed.zsh FARGS WORD...	in the top directory
setopt bareglobqual extendedglob nullglob rcexpandparam

matching() { print -rl -- ${(M)@:#${PREFIX}*} }

compadd()
{
	local -a given

	while (( $# )); do
		case $1 in
		-a) given+=("${(@P)2}"); shift ;;
		-S) shift ;;
		-) ;;
		*) given+=("$1") ;;
		esac
		shift
	done
	matching $given
}

# _describe [OPTION...] DESCRIPTION ARRAY: an element of ARRAY is NAME:DESCRIPTION.
_describe()
{
	while [[ $1 == -* ]]; do
		[[ $1 != -t ]] || shift
		shift
	done
	matching ${(@)${(@P)2}%%:*}
}

_alternative()
{
	local spec

	for spec; do
		eval "${spec#*:*:}"
	done
}

_wanted() { shift 3; "$@" }
_call_program() { shift; "$@" 2>/dev/null }
compset() { PREFIX=${PREFIX#${~2}} }
_message() { print -r -- "<$1>" }
_files() { print '<files>' }
_pids() { print '<pids>' }
_users() { print '<users>' }
_normal() { print -r -- "<command $words[1], word $CURRENT>" }

words=("$@")
CURRENT=$#
PREFIX=$words[-1]
source user/completion/_fargs
