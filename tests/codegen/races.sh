#!/usr/bin/env bash
# Runs small generated programs in Oclgrind, which must report nothing; and some without a barrier, which must be
# reported. 77 means skipped.
set -euo pipefail
test_codegen=$1
if ! command -v oclgrind >/dev/null; then
    echo "skipped: there is no oclgrind here"
    exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Oclgrind reports to the standard error of the process that runs the kernels: with --log, its compilers would begin the
# same file anew.
under_oclgrind() {
    GST_TEST_DEVICE=Oclgrind oclgrind --data-races --local-mem-size 1048576 "$test_codegen" "$1" 2>"$log"
}
for without in "[.race]" "[.streaming-race]" "[.halo-race]" "[.halves-race]" "[.stages-race]"; do
    under_oclgrind "$without" >/dev/null
    if ! grep -q 'data race' "$log"; then
        echo "a program without its barrier was not reported ($without)"
        exit 1
    fi
done
under_oclgrind "[.races]"
if [[ -s $log ]]; then
    head -40 "$log"
    exit 1
fi
