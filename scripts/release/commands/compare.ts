import type { Impact, Verdict } from '../verdict.ts';
import type { Commands, InputSchema, Tool } from './collect.ts';
import type { Argument, Flag, Help } from './help.ts';

/** Growth of texts for agents that needs no changelog line, as a ratio. */
const permittedGrowth = 0.1;

/** The changes between two releases that users, scripts or agents can notice. */
export function compareCommands(base: Commands, next: Commands): Verdict[] {
  const found: Verdict[] = [];
  const add = (impact: Impact, place: string, sentence: string): void => {
    found.push({ surface: 'commands', impact, place, sentence });
  };
  compareNames(Object.keys(base.helps), Object.keys(next.helps), {
    // One line is enough for a removed group.
    removed: (line) => {
      if (!isBelow(line, base.helps, next.helps)) add('break', line, `The command \`${line}\` was removed.`);
    },
    added: (line) => {
      if (!isBelow(line, next.helps, base.helps)) add('addition', line, `There is a new command, \`${line}\`.`);
    },
    both: (line) => compareHelp(line, base.helps[line], next.helps[line], add),
  });
  compareJobValues(base.jobValues, next.jobValues, add);
  compareTools(base.tools, next.tools, add);
  compareLlms(base, next, add);
  return found;
}

type Add = (impact: Impact, place: string, sentence: string) => void;

/** Whether a command that only one release has is below another such command. */
function isBelow(line: string, own: Commands['helps'], other: Commands['helps']): boolean {
  const above = line.replace(/ [^ ]+$/, '');
  return above !== line && above in own && !(above in other);
}

function compareNames(
  base: readonly string[],
  next: readonly string[],
  act: { removed(name: string): void; added(name: string): void; both?(name: string): void },
): void {
  for (const name of base) if (!next.includes(name)) act.removed(name);
  for (const name of next) base.includes(name) ? act.both?.(name) : act.added(name);
}

function compareHelp(line: string, base: Help | undefined, next: Help | undefined, add: Add): void {
  if (!base || !next) return;
  compareArguments(line, base.args, next.args, add);
  compareNames(Object.keys(base.flags), Object.keys(next.flags), {
    removed: (name) => add('break', `${line} ${name}`, `\`${line}\` no longer has the option \`${name}\`.`),
    added: (name) =>
      next.flags[name]?.isRequired
        ? add('break', `${line} ${name}`, `\`${line}\` now needs the new option \`${name}\`.`)
        : add('addition', `${line} ${name}`, `\`${line}\` has a new option, \`${name}\`.`),
    both: (name) => compareFlag(line, name, base, next, add),
  });
  compareBlocks(line, base.blocks, next.blocks, add);
}

function compareArguments(line: string, base: readonly Argument[], next: readonly Argument[], add: Add): void {
  const shown = (args: readonly Argument[]): string => args.map(({ name }) => name).join(' ') || 'no arguments';
  const needed = (args: readonly Argument[]): number => args.filter(({ isRequired }) => isRequired).length;
  const hasRepeated = (args: readonly Argument[]): boolean => args.some(({ isRepeated }) => isRepeated);
  const place = `${line} arguments`;
  const change = `\`${line}\` now takes ${shown(next)} (before: ${shown(base)}).`;
  const isNarrower = hasRepeated(base) && !hasRepeated(next);
  if (needed(next) > needed(base) || next.length < base.length || isNarrower) add('break', place, change);
  else if (isReordered(base, next)) add('break', place, `${change} Check their order.`);
  else if (next.length > base.length || needed(next) < needed(base)) add('addition', place, change);
  else if (shown(base) !== shown(next)) add('fix', place, change);
}

/** Whether an argument that both have moved. */
function isReordered(base: readonly Argument[], next: readonly Argument[]): boolean {
  return base.some(({ name }, at) => {
    const found = next.findIndex((other) => other.name === name);
    return found !== -1 && found !== at;
  });
}

function compareFlag(line: string, name: string, base: Help, next: Help, add: Add): void {
  const [before, after] = [base.flags[name], next.flags[name]];
  if (!before || !after) return;
  const place = `${line} ${name}`;
  const option = `The option \`${name}\` of \`${line}\``;
  if (before.value === undefined && after.value !== undefined)
    add('break', place, `${option} now needs a value, ${after.value}.`);
  else if (before.value !== undefined && after.value === undefined)
    add('break', place, `${option} no longer takes a value.`);
  else if (before.value !== after.value)
    add('fix', place, `${option} shows its value as ${after.value} (before: ${before.value}).`);
  if (after.isRequired && !before.isRequired) add('break', `${place} required`, `${option} is now required.`);
  if (before.short !== undefined && before.short !== after.short)
    add('break', `${place} ${before.short}`, `${option} no longer has the short form \`${before.short}\`.`);
  compareValues(place, option, before.choices, after.choices, add);
  if (before.default !== after.default)
    add(
      'fix',
      `${place} default`,
      `${option} has another default: ${after.default ?? 'none'} (before: ${before.default ?? 'none'}).`,
    );
  const lost = jobsOf(before, base).filter((job) => !jobsOf(after, next).includes(job));
  if (lost.length > 0) add('break', `${place} jobs`, `${option} is no longer for ${lost.join(', ')}.`);
}

/** The ready-made jobs at the beginning of an option's text: `import-contacts: …`. */
function jobsOf({ about }: Flag, { blocks }: Help): string[] {
  const [, named = ''] = /^([a-z-]+(?:, [a-z-]+)*): /.exec(about) ?? [];
  const jobs = Object.keys(blocks.Jobs ?? {}).map((term) => term.split(' ')[0] ?? '');
  return named.split(', ').filter((name) => name === 'exports' || jobs.includes(name));
}

function compareValues(
  place: string,
  option: string,
  base: readonly string[] | undefined,
  next: readonly string[] | undefined,
  add: Add,
): void {
  const removed = next ? (base ?? []).filter((value) => !next.includes(value)) : [];
  const added = base ? (next ?? []).filter((value) => !base.includes(value)) : [];
  if (removed.length > 0)
    add('break', `${place} values`, `${option} no longer accepts ${removed.join(', ')}. Choose ${next?.join(', ')}.`);
  else if (!base && next) add('break', `${place} values`, `${option} now accepts only ${next.join(', ')}.`);
  else if (added.length > 0) add('addition', `${place} values`, `${option} also accepts ${added.join(', ')}.`);
  else if (base && !next) add('addition', `${place} values`, `${option} now accepts any value.`);
}

/** Blocks whose first column scripts depend on. */
const contracts = ['Exit codes', 'Environment', 'Jobs', 'Properties of a fault'];

function compareBlocks(line: string, base: Help['blocks'], next: Help['blocks'], add: Add): void {
  for (const heading of contracts) {
    const rows = base[heading] ?? {};
    const now = next[heading] ?? {};
    compareNames(Object.keys(rows), Object.keys(now), {
      removed: (term) =>
        add(
          'break',
          `${line} ${heading}: ${term}`,
          `The help of \`${line}\` no longer lists \`${term}\` (${heading}).`,
        ),
      added: (term) =>
        add('addition', `${line} ${heading}: ${term}`, `The help of \`${line}\` lists \`${term}\` (${heading}).`),
      both: (term) => {
        const [before, after] = [rows[term], now[term]];
        if (heading !== 'Exit codes' || before === after) return;
        const isMoved = Object.values(rows).includes(after ?? '') || Object.values(now).includes(before ?? '');
        add(
          isMoved ? 'break' : 'fix',
          `${line} ${heading}: ${term}`,
          `The exit code ${term} of \`${line}\` means "${after}" (before: "${before}").`,
        );
      },
    });
  }
}

function compareJobValues(base: Commands['jobValues'], next: Commands['jobValues'], add: Add): void {
  for (const [place, values] of Object.entries(base)) {
    const [job, name] = place.split(' ');
    const now = next[place];
    const option = `The option \`${name}\` of the job ${job}`;
    if (now) compareValues(place, option, values, now, add);
    else add('break', place, `${option} was removed. It accepted ${values.join(', ')}.`);
  }
}

/** Hints that a host uses to decide whether to ask the user. */
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function compareTools(base: readonly Tool[], next: readonly Tool[], add: Add): void {
  const [before, after] = [base, next].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  if (!before || !after) return;
  compareNames([...before.keys()], [...after.keys()], {
    removed: (name) => add('break', `tool ${name}`, `The server for agents no longer has the tool \`${name}\`.`),
    added: (name) => add('addition', `tool ${name}`, `The server for agents has a new tool, \`${name}\`.`),
    both: (name) => {
      const [old, now] = [before.get(name), after.get(name)];
      if (!old || !now) return;
      compareInput(`tool ${name}`, `the tool \`${name}\``, old.inputSchema, now.inputSchema, add);
      for (const hint of hints)
        if (old.annotations[hint] !== now.annotations[hint])
          add(
            'break',
            `tool ${name} ${hint}`,
            `The tool \`${name}\` says ${hint} ${now.annotations[hint]} (before: ${old.annotations[hint]}): hosts may ask people at other calls than before.`,
          );
      if (old.description !== now.description)
        add('fix', `tool ${name} description`, `The tool \`${name}\` has another description.`);
    },
  });
}

function compareInput(place: string, what: string, base: InputSchema, next: InputSchema, add: Add): void {
  const [before, after] = [base.type, next.type].map((type) => JSON.stringify(type));
  if (before !== after) {
    add('break', `${place} type`, `The input of ${what} is now ${after} (before: ${before}).`);
    return;
  }
  compareValues(place, `The input of ${what}`, base.enum?.map(String), next.enum?.map(String), add);
  const [old, now] = [base.properties ?? {}, next.properties ?? {}];
  compareNames(Object.keys(old), Object.keys(now), {
    removed: (name) => add('break', `${place} ${name}`, `${capital(what)} no longer takes \`${name}\`.`),
    added: (name) =>
      next.required?.includes(name)
        ? add('break', `${place} ${name}`, `${capital(what)} now needs \`${name}\`.`)
        : add('addition', `${place} ${name}`, `${capital(what)} also takes \`${name}\`.`),
    both: (name) => {
      if (next.required?.includes(name) && !base.required?.includes(name))
        add('break', `${place} ${name}`, `${capital(what)} now needs \`${name}\`.`);
      const [inner, innerNext] = [old[name], now[name]];
      if (inner && innerNext) compareInput(`${place} ${name}`, `\`${name}\` of ${what}`, inner, innerNext, add);
    },
  });
  if (base.items && next.items) compareInput(`${place} items`, `the items of ${what}`, base.items, next.items, add);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function compareLlms(base: Commands, next: Commands, add: Add): void {
  compareNames(base.llms.methods, next.llms.methods, {
    removed: (name) => add('break', `llms.txt ${name}`, `The file llms.txt no longer lists the method \`${name}\`.`),
    // A new method already has a line about its command.
    added: () => undefined,
  });
  compareNames(base.llms.links, next.llms.links, {
    removed: (link) => add('fix', `llms.txt ${link}`, `The file llms.txt no longer links to ${link}.`),
    added: (link) => add('fix', `llms.txt ${link}`, `The file llms.txt links to ${link}.`),
  });
  compareSize('tokens of the tools', 'tokens', base.tokens, next.tokens, add);
  compareSize('size of llms.txt', 'characters', base.llms.characters, next.llms.characters, add);
}

function compareSize(what: string, unit: string, base: number, next: number, add: Add): void {
  if (next <= base * (1 + permittedGrowth)) return;
  const growth = Math.round((next / base - 1) * 100);
  add('fix', what, `The ${what} grew by ${growth} % to ${next} ${unit}: agents pay for them in every conversation.`);
}
