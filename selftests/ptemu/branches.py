# SPDX-License-Identifier: GPL-2.0-only
"""
Sequences of branches that decoders show, and how to compare them.
"""
import bisect
import re
import subprocess


def split(command, pattern):
    """The branches of each CPU that a command prints."""
    streams = {}
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                         text=True, errors='replace').stdout
    for match in re.finditer(pattern, out):
        if match[2] != '0':             # where tracing or decoding begins
            streams.setdefault(int(match[1]), []).append((match[2], match[3]))
    return streams


def subsequence(a, b):
    """The length of the longest common subsequence."""
    places = {}
    for i, x in enumerate(a):
        places[x] = places.get(x, 0) | 1 << i
    mask = (1 << len(a)) - 1
    ends = mask                         # bit i is 0: the subsequence grows at a[i]
    for x in b:
        if x in places:
            both = ends & places[x]
            ends = (ends + both | ends - both) & mask
    return len(a) - ends.bit_count()


GRAM = 32


def unique_grams(lines):
    """Runs of GRAM branches that occur once, and where."""
    grams, hashes = {}, [hash(line) for line in lines]
    for i in range(len(lines) - GRAM + 1):
        gram = hash(tuple(hashes[i:i + GRAM]))
        grams[gram] = -1 if gram in grams else i
    return {gram: i for gram, i in grams.items() if i >= 0}


def rising(pairs):
    """The longest run of pairs, sorted by the first number, whose second numbers rise."""
    lasts, tails, before = [], [], []
    for i, (_, k) in enumerate(pairs):
        at = bisect.bisect_left(lasts, k)
        lasts[at:at + 1] = [k]
        tails[at:at + 1] = [i]
        before.append(tails[at - 1] if at else -1)
    i, run = tails[-1] if tails else -1, []
    while i >= 0:
        run.append(pairs[i])
        i = before[i]
    return run[::-1]


def count_right(truth, grams, found):
    """The number of branches in @found that are in @truth, in order."""
    pairs = sorted((i, grams[gram]) for gram, i in unique_grams(found).items() if gram in grams)
    right = at = truth_at = 0
    for i, k in rising(pairs) + [(len(found), len(truth))]:
        if i < at or k < truth_at:
            continue
        right += subsequence(truth[truth_at:k], found[at:i])
        while i < len(found) and k < len(truth) and found[i] == truth[k]:
            right, i, k = right + 1, i + 1, k + 1
        at, truth_at = i, k
    return right


def compare(truth, found):
    """The number of branches that are right, and of those that are wrong."""
    right = 0
    for cpu, (lines, grams) in truth.items():
        right += count_right(lines, grams, found.get(cpu, []))
    return right, sum(map(len, found.values())) - right


def anchors(a, b):
    """Pairs of places, rising in both, at which the same run of GRAM lines begins."""
    grams = unique_grams(a)
    return rising(sorted((grams[gram], k) for gram, k in unique_grams(b).items()
                         if gram in grams))


def differences(a, b):
    """
    What differs, as (i, i_end, k, k_end): a[i:i_end] is in the place of b[k:k_end]. It ends where
    GRAM lines are the same again.
    """
    i = k = 0
    found = []
    if a == b:
        return found
    for at, at_b in anchors(a, b) + [(len(a), len(b))]:
        if at < i or at_b < k:
            continue
        while i < at and k < at_b and a[i] == b[k]:
            i, k = i + 1, k + 1
        end, end_b = at, at_b
        while end > i and end_b > k and a[end - 1] == b[end_b - 1]:
            end, end_b = end - 1, end_b - 1
        if i < end or k < end_b:
            found.append((i, end, k, end_b))
        i, k = at, at_b
        while i < len(a) and k < len(b) and a[i] == b[k]:
            i, k = i + 1, k + 1
    return found
