/** A flag in a command's help. */
export interface Flag {
  about: string;
  /** `-q`, if it has a short form. */
  short?: string;
  /** The placeholder of its value, such as `<integer>`. Absent if it takes no value. */
  value?: string;
  isRequired: boolean;
  /** The accepted values, if they are listed. */
  choices?: string[];
  default?: string;
}

/** A positional argument: `<deal-id>` or `[name]`. */
export interface Argument {
  name: string;
  isRequired: boolean;
  isRepeated: boolean;
}

/** The help of a command as data. */
export interface Help {
  args: Argument[];
  /** Flags by long name. */
  flags: Record<string, Flag>;
  /** Names of the subcommands. */
  commands: string[];
  /** The other blocks with a heading, such as `Jobs` and `Exit codes`: first column → second column. */
  blocks: Record<string, Record<string, string>>;
}

/** Parses help in commander's format. Throws on any other format, so that no option is missed. */
export function parseHelp(text: string): Help {
  const [, usage] = /^Usage: (.*)$/m.exec(text) ?? [];
  if (usage === undefined) throw new Error(`This is not the help of a command: ${text.slice(0, 200)}`);
  const blocks: Help['blocks'] = {};
  for (const [heading, lines] of blocksOf(text)) blocks[heading] = rowsOf(lines);
  const { Options = {}, Commands = {}, ...others } = blocks;
  return {
    args: argumentsOf(usage),
    flags: Object.fromEntries(Object.entries(Options).map(([term, about]) => parseFlag(term, about))),
    // Descriptions of several paragraphs also begin at the margin.
    commands: Object.keys(Commands).flatMap((term) => /^([a-z][\w-]*)(?: [<[].*)?$/.exec(term)?.[1] ?? []),
    blocks: others,
  };
}

/**
 * Blocks such as `Options:` with their indented lines. A nested block, as in a command's description, belongs to the
 * outer one.
 */
function blocksOf(text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, heading] = /^([A-Z][\w ]*):$/.exec(line) ?? [];
    if (heading !== undefined) {
      lines = [];
      blocks.set(heading, lines);
    } else if (line.startsWith('  ')) lines.push(line);
    // Text between blocks belongs to neither of them.
    else if (line.trim() !== '') lines = [];
  }
  return blocks;
}

/** Rows of two columns. A row with more indentation continues the previous one. */
function rowsOf(lines: readonly string[]): Record<string, string> {
  const rows: [term: string, about: string][] = [];
  for (const line of lines) {
    // A number can fill its column.
    const [, term, about = ''] = /^ {2}(\d+) +(.*)$/.exec(line) ?? /^ {2}(\S.*?)(?: {2,}(.*)| +)?$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (term !== undefined) rows.push([term, about]);
    else if (last) last[1] = `${last[1]} ${line.trim()}`.trim();
  }
  return Object.fromEntries(rows);
}

function argumentsOf(usage: string): Argument[] {
  return [...usage.matchAll(/([<[])([\w-]+)(\.\.\.)?[>\]]/g)].flatMap(([, bracket, name = '', dots]) =>
    bracket === '[' && ['options', 'command'].includes(name)
      ? []
      : { name, isRequired: bracket === '<', isRepeated: dots !== undefined },
  );
}

function parseFlag(term: string, about: string): [name: string, flag: Flag] {
  const [, short, name, value] = /^(?:(-\w), )?(--[\w-]+)(?: ([<[].*[>\]]))?$/.exec(term) ?? [];
  if (name === undefined) throw new Error(`This is not an option of a command: ${term}`);
  const [, choices] = /\(choices: ([^)]*)\)/.exec(about) ?? [];
  const [, usual] = /\(default:? ([^)]*)\)/.exec(about) ?? [];
  const flag: Flag = { about, isRequired: /[(,] ?required\)/.test(about) };
  if (short !== undefined) flag.short = short;
  if (value !== undefined) flag.value = value;
  if (choices !== undefined) flag.choices = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  if (usual !== undefined) flag.default = usual;
  return [name, flag];
}
