# Completes each line of its input as fish does when a person presses Tab. Needs $SCRIPT, a completion script.
source $SCRIPT
while read -l line
    string join '|' -- (complete -C "$line" | string replace -r '\t.*' '')
end
