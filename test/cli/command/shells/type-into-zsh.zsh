# Types each line of its input into an interactive zsh and presses Tab. What zsh then writes says what was offered, and what
# became of the line. Needs $SCRIPT, a completion script, and $HELPERS, which defines what a test needs to see.
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'source "$HELPERS"'
while IFS= read -r line; do zpty -w -n typist "$line"$'\t\x14'; done
zpty -w typist 'exit'
while zpty -r typist part; do print -rn -- "$part"; done
