#!/bin/sh
# Send one event of a coding agent to memwiki by curl. Whatever is not the plain case is left to send_event.py in the
# same folder: a session's start, events that wait, a policy, a server that does not answer, a folder or name with
# unusual characters. Nothing is kept between two runs, so that nothing here can be out of date.
#
# sh send_event.sh --agent NAME --event NAME [--url URL] --python PATH

exec 2>/dev/null
LC_ALL=C
export LC_ALL
nl='
'
here=${0%/*} agent='' event='' url=${MEMWIKI_URL:-http://127.0.0.1:7470} python=python3 payload='' is_read=''
while [ $# -gt 1 ]; do
    case $1 in
        --agent) agent=$2 ;;
        --event) event=$2 ;;
        --url) url=$2 ;;
        --python) python=$2 ;;
    esac
    shift 2
done

# Let the Python client take over; the arguments say what was tried already.
leave() {
    set -- "$python" -I -S "$here/send_event.py" --agent "$agent" --event "$event" --url "$url" "$@"
    [ "$is_read" ] || exec "$@"
    printf %s "$payload" | "$@"
    exit 0
}

# Read the first line of a file into `line`.
first_line() {
    line=''
    [ -r "$1" ] && read -r line <"$1"
    :
}

# Read the addresses of the remotes from git's settings; what rewrites addresses is left to Python.
read_settings() {
    section='' count=0
    while read -r line || [ "$line" ]; do
        count=$((count + 1))
        case $line in
            *[iI][nN][sS][tT][eE][aA][dD][oO][fF]*) leave ;;
            \[*) section=$line ;;
            [uU][rR][lL]*)
                [ "$1" = own ] || continue
                case $line in 'url = '*) line=${line#url = } ;; *) leave ;; esac
                case $section in
                    '[remote "upstream"]') upstream=${upstream:-$line} ;;
                    '[remote "origin"]') origin=${origin:-$line} ;;
                esac
                ;;
        esac
        [ $count -lt 400 ] || leave
    done
}

# Read the names of a marker file that says nothing else.
read_marker() {
    named_workspace='' named_project='' count=0
    [ -f "$folder/.memwiki.toml" ] && [ -r "$folder/.memwiki.toml" ] || leave
    while read -r line || [ "$line" ]; do
        case $named_workspace,$named_project,$line in
            ,*,'workspace = "'?*'"') line=${line#*'"'} named_workspace=${line%'"'} line=$named_workspace ;;
            *,,'project = "'?*'"') line=${line#*'"'} named_project=${line%'"'} line=$named_project ;;
            *,'#'*) line='' ;;
            *,) ;;
            *) leave ;;
        esac
        case $line in *[!A-Za-z0-9._-]*) leave ;; esac
        count=$((count + 1))
        [ $count -lt 100 ] || leave
    done <"$folder/.memwiki.toml"
}

# Take the user and password out of an address.
strip_user() {
    case $1 in
        *://*)
            rest=${1#*://} line=${1%%://*}://
            host=${rest%%/*}
            line=$line${host##*@}${rest#"$host"}
            ;;
        *) line=$1 ;;
    esac
}

# Names and the address must need no quoting, here and in an address.
case $agent$event in *[!A-Za-z0-9._-]* | '') exit 0 ;; esac
case ${MEMWIKI_CAPTURE:-} in [oO][fF][fF] | 0 | [fF][aA][lL][sS][eE] | [nN][oO]) exit 0 ;; esac
[ "${MEMWIKI_OWN_RUN:-}" != 1 ] || exit 0
case $event in
    [sS]ubagent[sS]tart) ;;
    # What is to be told at a start, and what git says of the working copy at the end, is left to Python.
    *[sS]tart | *[cC]reated | *[sS]pawn | *[sS]ession[eE]nd | *[sS]hutdown | *[dD]eleted | *.ended) leave ;;
esac
[ -z "${MEMWIKI_BRIEF:-}" ] || leave
case $here in /*) ;; *) leave ;; esac
case $url in *[!A-Za-z0-9:/._~-]*) leave ;; http://* | https://*) ;; *) leave ;; esac
token=${MEMWIKI_ACCESS_TOKEN:-}
line=${MEMWIKI_ACCESS_TOKEN_FILE:-$here/token}
if [ -z "$token" ] && { [ "${MEMWIKI_ACCESS_TOKEN_FILE:-}" ] || [ -e "$line" ]; }; then
    first_line "$line"
    token=$line
    [ "$token" ] || leave
fi
case $token in *[!A-Za-z0-9._~+/=-]*) leave ;; esac

# Whoever has events waiting sends them in order, and a muted session is told by its name.
state=${XDG_STATE_HOME:-${HOME:-}/.local/state}
spool=${MEMWIKI_SPOOL_DIR:-$state/memwiki/spool}
case $spool in /*) ;; *) leave ;; esac
[ ! -e "$spool/events.jsonl" ] && [ ! -e "$spool/muted" ] && [ ! -e "$spool/pause" ] || leave
for line in "$spool"/events-*.jsonl; do
    [ ! -e "$line" ] || leave
done

# Minted once, also for what becomes of the event if this does not work.
first_line /proc/sys/kernel/random/uuid
key=${line:-$(od -An -N16 -tx1 /dev/urandom)}
case $key in *' '*) key=$(printf %s $key) ;; esac
[ ${#key} -gt 20 ] || leave

payload=$(cat && echo .) || leave
payload=${payload%.} is_read=1

# Who tells no session's id is given one.
case $payload in *session_id* | *sessionId* | *conversation_id* | *thread*) ;; *) leave ;; esac

lost=0 count=0
if [ -r "$spool/lost" ]; then
    while read -r line; do
        case $line in '' | *[!0-9]*) leave ;; esac
        lost=$((lost + line)) count=$((count + 1))
        [ $count -lt 100 ] || leave
    done <"$spool/lost"
fi

# The folder of the event, if it stands at the payload's top, where agents write it.
head=${payload%%'"cwd":'*}
cwd=${payload#"$head"'"cwd":'}
cwd=${cwd# }
case $cwd in \"*) cwd=${cwd#\"} ;; *) leave ;; esac
cwd=${cwd%%\"*}
case $head in '{'*[\{\[]*) leave ;; '{'*) ;; *) leave ;; esac
case $cwd/ in *//* | */./* | */../* | *[!A-Za-z0-9/._@+,=~\ -]*) leave ;; /*) ;; *) leave ;; esac

# What the Python client reads of a working copy, by the same rules.
root='' common='' upstream='' origin='' branch='' revision='' workspace='' project='' folder=$cwd is_named=''
while :; do
    if [ -e "$folder/.memwiki.toml" ]; then
        read_marker
        [ "$is_named" ] || workspace=$named_workspace project=$named_project
        is_named=1
    fi
    if [ -z "$common" ] && [ -d "$folder/.git" ]; then
        root=$folder git_dir=$folder/.git common=$folder/.git
        [ ! -e "$git_dir/commondir" ] || leave
    elif [ -z "$common" ] && [ -f "$folder/.git" ]; then
        first_line "$folder/.git"
        root=$folder git_dir=${line#gitdir: }
        case $git_dir in */modules/* | *//* | */./* | */../*) leave ;; /*/worktrees/*) ;; *) leave ;; esac
        first_line "$git_dir/commondir"
        [ "$line" = ../.. ] || leave
        common=${git_dir%/*/*}
    elif [ -z "$common" ] && [ -e "$folder/HEAD" ] && [ -e "$folder/objects" ]; then
        leave
    fi
    [ "$folder" != / ] || break
    folder=${folder%/*}
    folder=${folder:-/}
done
if [ "$common" ]; then
    first_line "$git_dir/HEAD"
    case $line in
        *..* | *.invalid) leave ;;
        'ref: refs/heads/'*)
            ref=${line#ref: } branch=${line#ref: refs/heads/}
            first_line "$git_dir/$ref"
            [ "$line" ] || first_line "$common/$ref"
            revision=$line
            if [ -z "$revision" ] && [ -e "$common/packed-refs" ]; then
                count=0
                while read -r line; do
                    [ "${line#* }" != "$ref" ] || revision=${line%% *}
                    count=$((count + 1))
                    [ $count -lt 100 ] || leave
                done <"$common/packed-refs"
            fi
            ;;
        ref:*) leave ;;
        *) revision=$line ;;
    esac
    case $revision in *[!0-9a-f]*) leave ;; esac
    [ ! -r "$common/config" ] || read_settings own <"$common/config"
    if [ "$upstream$origin" ]; then
        if [ "${GIT_CONFIG_GLOBAL:-}" ]; then
            [ ! -r "$GIT_CONFIG_GLOBAL" ] || read_settings all <"$GIT_CONFIG_GLOBAL"
        else
            line=${XDG_CONFIG_HOME:-${HOME:-}/.config}/git/config
            [ ! -r "$line" ] || read_settings all <"$line"
            [ ! -r "${HOME:-}/.gitconfig" ] || read_settings all <"$HOME/.gitconfig"
        fi
    fi
fi
strip_user "$upstream"
upstream=$line
strip_user "$origin"
origin=$line
remote=${upstream:-$origin}
[ "$upstream" ] && [ "$upstream" != "$origin" ] || origin=''
first_line /proc/sys/kernel/hostname
machine=${line:-${HOSTNAME:-}}
machine=$machine${WSL_DISTRO_NAME:++$WSL_DISTRO_NAME}
[ "$machine" ] && [ ${#machine} -le 64 ] || leave

# The quotes are percent signs already; the values between them need none.
seen=''
add() {
    [ -z "$2" ] || seen=$seen,%22$1%22:%22$2%22
}
add cwd "$cwd"
add machine "$machine"
add launch "${MEMWIKI_RUN:-}"
add marker_workspace "$workspace"
add marker_project "$project"
add root "$root"
add common_dir "$common"
add remote "$remote"
add origin "$origin"
add branch "$branch"
add revision "$revision"
case $seen$here in *[!A-Za-z0-9/._@:+,=~%\ -]*) leave ;; esac
case $remote$origin in *' '*) leave ;; esac
[ ${#here} -lt 150 ] || leave

seconds=0.08
case ${MEMWIKI_HOOK_PATIENCE:-1} in
    1) ;;
    [2-9] | 1[0-9] | 20)
        line=$((MEMWIKI_HOOK_PATIENCE * 80 + 10000))
        seconds=$((line / 1000 - 10)).${line#1[01]}
        ;;
    *) leave ;;
esac

# The token is on no command line: curl reads it from a pipe.
post() {
    printf %s "$payload" | curl -q -s -i -g --http1.1 -m $seconds --noproxy '*' --data-binary @- -K /dev/fd/3 3<<END
url = "$url/hook?agent=$agent&event=$event"
header = "Content-Type: application/json"
header = "Expect:"
header = "Idempotency-Key: $key"
header = "Memwiki-Checkout: {${seen#,}}"
header = "Memwiki-Origin: $agent%20$here"
$more
END
}
more=''
[ -z "$token" ] || more="header = \"Authorization: Bearer $token\"$nl"
[ $lost -eq 0 ] || more="${more}header = \"Memwiki-Spool: 0;0;$lost\""
answer=$(post && echo .)
case $? in
    0) ;;
    6 | 7 | 18 | 28 | 35 | 51 | 52 | 55 | 56 | 60) leave --key "$key" --status 0 ;;
    *) leave --key "$key" ;;
esac
status=${answer#HTTP/1.[01] }
status=${status%%[!0-9]*}
case $status in
    202)
        case $answer in *[lL]ength:\ 0[!0-9]*) exit 0 ;; esac
        cr=$(printf '\r')
        answer=${answer#*"$cr$nl$cr$nl"}
        printf %s "${answer%.}"
        exit 0
        ;;
    413 | 429) ;;
    4??) case $answer in *'"code"'*) ;; *) status=0 ;; esac ;;
    '') status=0 ;;
esac
retry=0
case $answer in
    *[rR]etry-[aA]fter:\ [0-9]*)
        retry=${answer#*[rR]etry-[aA]fter: }
        retry=${retry%%[!0-9]*}
        ;;
esac
leave --key "$key" --status "$status" --retry "$retry"
