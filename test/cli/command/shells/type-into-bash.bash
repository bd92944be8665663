# Completes each line of its input as Bash does when a person presses Tab. Needs $SCRIPT, a completion script.
source "$SCRIPT"
complete -p carillon >&2
while IFS= read -r line; do
  # As readline does: a word also ends at the signs of COMP_WORDBREAKS, and the line can end with an empty word.
  COMP_LINE=$line COMP_POINT=${#line}
  read -ra COMP_WORDS <<<"${line//=/ = }"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _carillon
  (IFS='|' && echo "${COMPREPLY[*]}")
done
