/** A flag of a command, as its help shows it. */
export interface Flag {
  about: string;
  /** `-q`, if it has a short form. */
  short?: string;
  /** The placeholder of its value, such as `<integer>`. Absent if it takes none. */
  value?: string;
  isRequired: boolean;
  /** The values that it accepts, if there is a list of them. */
  choices?: string[];
  default?: string;
}

/** A word of a command line that has a place of its own: `<deal-id>` or `[name]`. */
export interface Argument {
  name: string;
  isRequired: boolean;
  isRepeated: boolean;
}

/** The help of a command as data. */
export interface Help {
  args: Argument[];
  /** By long name. */
  flags: Record<string, Flag>;
  /** Names of the commands below it. */
  commands: string[];
  /** The other blocks with a heading, such as `Jobs` and `Exit codes`: first column → second column. */
  blocks: Record<string, Record<string, string>>;
}

/** Reads help in the form that commander writes. Throws if it is of another form: an unread option would be an unnoticed one. */
export function parseHelp(text: string): Help {
  const [, usage] = /^Usage: (.*)$/m.exec(text) ?? [];
  if (usage === undefined) throw new Error(`This is no help of a command: ${text.slice(0, 200)}`);
  const blocks: Help['blocks'] = {};
  for (const [heading, lines] of blocksOf(text)) blocks[heading] = rowsOf(lines);
  const { Options = {}, Commands = {}, ...others } = blocks;
  return {
    args: argumentsOf(usage),
    flags: Object.fromEntries(Object.entries(Options).map(([term, about]) => parseFlag(term, about))),
    // A description of several paragraphs is at the margin, too.
    commands: Object.keys(Commands).flatMap((term) => /^([a-z][\w-]*)(?: [<[].*)?$/.exec(term)?.[1] ?? []),
    blocks: others,
  };
}

/** `Options:` and what is indented below it. A block of a block, as in the description of a command, is part of the outer one. */
function blocksOf(text: string): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const [, heading] = /^([A-Z][\w ]*):$/.exec(line) ?? [];
    if (heading !== undefined) {
      lines = [];
      blocks.set(heading, lines);
    } else if (line.startsWith('  ')) lines.push(line);
    // Text between blocks belongs to neither.
    else if (line.trim() !== '') lines = [];
  }
  return blocks;
}

/** Rows of two columns. A row that is further indented continues the one before. */
function rowsOf(lines: readonly string[]): Record<string, string> {
  const rows: [term: string, about: string][] = [];
  for (const line of lines) {
    // A number can be as wide as its column.
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
  if (name === undefined) throw new Error(`This is no option of a command: ${term}`);
  const [, choices] = /\(choices: ([^)]*)\)/.exec(about) ?? [];
  const [, usual] = /\(default:? ([^)]*)\)/.exec(about) ?? [];
  const flag: Flag = { about, isRequired: /[(,] ?required\)/.test(about) };
  if (short !== undefined) flag.short = short;
  if (value !== undefined) flag.value = value;
  if (choices !== undefined) flag.choices = choices.split(', ').map((choice) => choice.replaceAll('"', ''));
  if (usual !== undefined) flag.default = usual;
  return [name, flag];
}
