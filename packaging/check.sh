#!/bin/sh
# Judges published tables with `lookalike check`, one after another:
#
#     check.sh --quasi age,sex --model k-anonymity --k 5 -- published.csv more.csv
#
# What stands before `--` is given to each check, what follows are the tables. LOOKALIKE names the program, if it is not on the path. The exit code is
# the highest of all: 0 if every table keeps what is asked, 1 if one does not, 2 and more if one could not be judged (lookalike --help lists
# them).
set -u

program="${LOOKALIKE:-lookalike}"
if ! command -v "$program" > /dev/null 2>&1; then
    echo "check.sh: $program is not there: install it (cargo install --path worker), or name it by LOOKALIKE" >&2
    exit 2
fi

# The flags stay in the positional parameters, in front of the tables; how many there are is counted first.
count=0
found=no
for given in "$@"; do
    if [ "$given" = "--" ]; then
        found=yes
        break
    fi
    count=$((count + 1))
done
if [ "$found" = no ]; then
    echo "check.sh: -- is missing between the flags and the tables" >&2
    exit 2
fi

worst=0
place=0
for table in "$@"; do
    place=$((place + 1))
    if [ "$place" -le $((count + 1)) ]; then
        continue
    fi
    echo "== $table"
    # A shell of its own has the flags alone as its parameters.
    (
        kept=0
        for given in "$@"; do
            shift
            if [ "$kept" -lt "$count" ]; then
                set -- "$@" "$given"
            fi
            kept=$((kept + 1))
        done
        exec "$program" check "$table" "$@"
    )
    code=$?
    if [ "$code" -gt "$worst" ]; then
        worst=$code
    fi
done
exit "$worst"
