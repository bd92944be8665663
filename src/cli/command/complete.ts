import { UsageError } from '../../shared/command-line.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { type Method, methods, products } from '../catalogue/methods.ts';
import { callOptions } from './call-options.ts';
import { flagFields } from './flags.ts';
import { kebab } from './names.ts';
import { formats } from './output.ts';

const others = ['search', 'login', 'logout', 'whoami', 'completion', 'sandbox', 'jobs', 'mcp'];

const scripts: Readonly<Record<string, string>> = {
  bash: `_carillon() {
  local IFS=$'\\n'
  COMPREPLY=($(carillon __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _carillon carillon
`,
  zsh: `#compdef carillon
_carillon() {
  local -a found
  found=("\${(@f)$(carillon __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
compdef _carillon carillon
`,
  fish: `function __carillon_complete
  set -l found (carillon __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c carillon -f -a '(__carillon_complete)'
`,
};

/** The script that makes a shell ask {@link complete}. */
export function completionScript(shell: string): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`There is no completion for ${shell}: choose ${Object.keys(scripts).join(', ')}.`);
  return script;
}

/**
 * Completes a command line: returns the words that can come next.
 *
 * @param words - the words after `carillon`; the last one is being typed, and may be empty
 */
export function complete(words: readonly string[]): string[] {
  // Bash splits --output=csv at the sign, zsh and fish do not.
  const parts = words.filter((word, at) => word !== '=' || at === words.length - 1);
  const last = parts.at(-1) ?? '';
  const [, flag, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(last) ?? [];
  if (flag !== undefined) return complete([...parts.slice(0, -1), flag, value]).map((found) => `${flag}=${found}`);
  const typed = last === '=' ? '' : last;
  const before = parts.slice(0, -1);
  const place = before.filter((word) => !word.startsWith('-'));
  const method = methods.find((one) => one.words.every((word, at) => kebab(word) === place[at]));
  const found = method ? ofMethod(method, before.at(-1) ?? '', typed) : ofGroup(place);
  return found.filter((word) => word.startsWith(typed));
}

function ofGroup(place: readonly string[]): string[] {
  if (place.length === 0) return [...products, ...others, '--help', '--sandbox'];
  if (place[0] === 'completion') return Object.keys(scripts);
  const inside = methods.filter((method) => place.every((word, at) => kebab(method.words[at] ?? '') === word));
  return [...new Set(inside.map((method) => kebab(method.words[place.length] ?? '')))];
}

function ofMethod(method: Method, previous: string, typed: string): string[] {
  if (previous === '--output') return [...formats];
  const values = fieldsOf(method).find(({ name }) => `--${kebab(name)}` === previous)?.schema.enum;
  if (values) return values.map(String);
  if (!typed.startsWith('-')) return [];
  return [
    ...flagFields(method).map(({ name }) => `--${kebab(name)}`),
    ...callOptions(method).map(({ long }) => long ?? ''),
    '--help',
  ];
}
