import { UsageError } from '../../shared/command-line.ts';
import { listProfiles } from '../../shared/credentials.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { type Method, methods, products } from '../catalogue/methods.ts';
import { callOptions } from './call-options.ts';
import { argumentFields, flagFields } from './flags.ts';
import type { Io } from './io.ts';
import { kebab, methodOf } from './names.ts';
import { formats } from './output.ts';
import { type Actions, createProgram } from './program.ts';
import type { ProgramName } from './start-program.ts';

/** The commands other than methods. */
const others = ['api', 'search', 'login', 'logout', 'whoami', 'profiles', 'completion'];
/** The commands that run another program. */
const programs = ['sandbox', 'jobs', 'mcp'] as const;

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

/** Returns the completion script of a shell, which calls {@link complete}. */
export function completionScript(shell: string): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new UsageError(`There is no completion for ${shell}. Choose one of ${Object.keys(scripts).join(', ')}.`);
  return script;
}

/**
 * Completes a command line. Returns the words that can follow.
 *
 * @param words - the words after `carillon`; the last word is being typed and may be empty
 */
export async function complete(words: readonly string[], io: Io): Promise<string[]> {
  // Bash splits --output=csv at the equals sign, but zsh and fish do not.
  const parts = words.filter((word, at) => word !== '=' || at === words.length - 1);
  const last = parts.at(-1) ?? '';
  const [, flag, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(last) ?? [];
  if (flag !== undefined)
    return (await complete([...parts.slice(0, -1), flag, value], io)).map((found) => `${flag}=${found}`);
  const typed = last === '=' ? '' : last;
  const found = await wordsAfter(parts.slice(0, -1), typed, io);
  return found.filter((word) => word.startsWith(typed));
}

async function wordsAfter(before: readonly string[], typed: string, io: Io): Promise<string[]> {
  const previous = before.at(-1) ?? '';
  if (previous === '--profile') return listProfiles(io.env).map((profile) => profile.name);
  const place = before.filter((word) => !word.startsWith('-'));
  const [first = ''] = place;
  if (isProgram(first)) return ofProgram(first, place.slice(1), typed, io);
  const method = methodOf(place);
  if (method) return ofMethod(method, previous, typed);
  return others.includes(first) ? ofCommand(first, place, typed, io) : ofGroup(place);
}

function ofGroup(place: readonly string[]): string[] {
  if (place.length === 0) return [...products, ...others, ...programs, '--help', '--sandbox', '--profile'];
  const inside = methods.filter((method) => place.every((word, at) => kebab(method.words[at] ?? '') === word));
  return [...new Set(inside.map((method) => kebab(method.words[place.length] ?? '')))];
}

/** Completes a command other than a method. */
function ofCommand(name: string, place: readonly string[], typed: string, io: Io): string[] {
  if (typed.startsWith('-')) {
    const command = createProgram(io, noActions, place, new Set()).commands.find((one) => one.name() === name);
    return [...(command?.options.map(({ long }) => long ?? '') ?? []), '--help'];
  }
  if (name === 'completion') return Object.keys(scripts);
  if (name !== 'api') return [];
  const [, verb = ''] = place;
  if (place.length === 1) return [...new Set(methods.map((one) => one.method))];
  const paths = methods.filter((one) => one.method === verb.toUpperCase()).map(({ path }) => path);
  return place.length === 2 ? paths : [];
}

/** Only the options of the commands are read, so no action runs. */
const noActions = {} as Actions;

/** Completes the command line of another program, whose help names its commands and options. */
async function ofProgram(program: ProgramName, place: readonly string[], typed: string, io: Io): Promise<string[]> {
  const help = await io.helpOf(program, place.slice(0, 1));
  if (typed.startsWith('-')) return [...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag);
  const names = place.length === 0 ? /^ {2}([a-z][\w-]*)/gm : /^ {2,4}([a-z][\w-]*) +<file>/gm;
  const [, listed = ''] = help.split(/^(?:Commands|Jobs):$/m);
  return [...listed.matchAll(names)].map(([, name = '']) => name);
}

function isProgram(word: string): word is ProgramName {
  return programs.some((name) => name === word);
}

function ofMethod(method: Method, previous: string, typed: string): string[] {
  if (previous === '--output') return [...formats];
  const values = fieldsOf(method).find(({ name }) => `--${kebab(name)}` === previous)?.schema.enum;
  if (values) return values.map(String);
  if (!typed.startsWith('-')) return [];
  return [
    ...[...argumentFields(method), ...flagFields(method)].map(({ name }) => `--${kebab(name)}`),
    ...callOptions(method).map(({ long }) => long ?? ''),
    '--help',
  ];
}
