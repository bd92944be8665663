PROMPT=
autoload -U compinit
compinit -D -u
source "$SCRIPT"
compadd() {
  local -a hits
  builtin compadd -O hits "$@"
  [[ -n $hits ]] && print -r -- "<offer ${(j:|:)hits}>"
  builtin compadd "$@"
}
# Ctrl+T stands for a person who has finished typing.
finish() {
  print -r -- "<line $BUFFER>"
  BUFFER=
  zle accept-line
}
zle -N finish
bindkey '^T' finish
