import { subset, validRange } from 'semver';
import type { Target } from '../built.ts';
import type { Impact, Verdict } from '../verdict.ts';
import type { PackedPackage } from './collect.ts';

/**
 * Growth of a package that needs no changelog line, as a ratio. Larger growth is reported, but is never a break
 * (docs/decisions/0007-sizes-are-reported.md).
 */
const permittedGrowth = 0.1;

type Packages = Readonly<Record<string, PackedPackage>>;

type Add = (impact: Impact, place: string, sentence: string) => void;

/** The changes that users of the packages can notice, except those of modules and types. */
export function comparePackages(base: Packages, next: Packages): Verdict[] {
  const found: Verdict[] = [];
  const add: Add = (impact, place, sentence) => found.push({ surface: 'packages', impact, place, sentence });
  for (const name of Object.keys(base))
    if (!next[name])
      add('break', name, `The package ${name} was removed. Pin its last version until you no longer need it.`);
  for (const [name, now] of Object.entries(next)) {
    const before = base[name];
    if (!before) {
      add('addition', name, `There is a new package, ${name}.`);
      continue;
    }
    compareEntries(name, before, now, add);
    compareCommands(name, before, now, add);
    compareDependencies(name, before, now, add);
    compareEngines(name, before, now, add);
    compareFiles(name, before, now, add);
    compareSizes(name, before, now, add);
    for (const problem of now.problems)
      if (!before.problems.includes(problem))
        add('break', `${name}: ${problem}`, `A check of the package ${name} has a new problem: ${problem}.`);
  }
  return found;
}

function compareEntries(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  const [before, after] = [base.manifest.exports, next.manifest.exports];
  for (const [path, target] of Object.entries(before)) {
    const entry = entryOf(name, path);
    const now = after[path];
    if (now === undefined || now === null) {
      if (target !== null) add('break', entry, `The entry ${entry} was removed.`);
      continue;
    }
    const [had, has] = [conditionsOf(target), conditionsOf(now)];
    for (const condition of had)
      if (!isServed(condition, has))
        add('break', `${entry} ${condition}`, `The entry ${entry} no longer has the condition "${condition}".`);
    for (const file of missingFiles(now, next.files))
      add('break', `${entry} ${file}`, `The entry ${entry} names ${file}, which the package does not contain.`);
  }
  for (const [path, target] of Object.entries(after)) {
    if (before[path] !== undefined && before[path] !== null) continue;
    const entry = entryOf(name, path);
    add('addition', entry, `There is a new entry, ${entry}.`);
    for (const file of missingFiles(target, next.files))
      add('break', `${entry} ${file}`, `The entry ${entry} names ${file}, which the package does not contain.`);
  }
  if ((base.manifest.type ?? 'commonjs') !== (next.manifest.type ?? 'commonjs'))
    add(
      'break',
      `${name} type`,
      `The package ${name} has the type "${next.manifest.type}" (before: "${base.manifest.type}").`,
    );
}

/** `carillon/crm` for `./crm`. */
function entryOf(name: string, path: string): string {
  return `${name}${path.slice(1)}`;
}

/** This repository's own condition leads to sources outside the package. */
const ownCondition = 'carillon-source';

/** Combinations of conditions: `import types`. An entry without conditions has an empty one. */
function conditionsOf(target: Target): string[] {
  if (target === null) return [];
  if (typeof target === 'string') return [''];
  return Object.entries(target)
    .filter(([condition]) => condition !== ownCondition)
    .flatMap(([condition, inner]) => conditionsOf(inner).map((rest) => [condition, rest].filter(Boolean).join(' ')));
}

/**
 * Whether users of a combination of conditions still find a file, possibly through fewer conditions or `default`. Types
 * need their own file.
 */
function isServed(combination: string, offered: readonly string[]): boolean {
  const active = ['', 'default', ...combination.split(' ')];
  return offered
    .map((one) => one.split(' '))
    .some(
      (parts) => parts.every((part) => active.includes(part)) && parts.includes('types') === active.includes('types'),
    );
}

function missingFiles(target: Target, files: readonly string[]): string[] {
  if (target === null) return [];
  if (typeof target !== 'string')
    return Object.entries(target).flatMap(([condition, inner]) =>
      condition === ownCondition ? [] : missingFiles(inner, files),
    );
  const [start = '', end = ''] = target.replace(/^\.\//, '').split('*');
  const isThere = target.includes('*')
    ? files.some((file) => file.startsWith(start) && file.endsWith(end))
    : files.includes(start);
  return isThere ? [] : [target];
}

function compareCommands(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  const [before, after] = [base.manifest.bin, next.manifest.bin];
  for (const command of Object.keys(before))
    if (after[command] === undefined)
      add('break', `${name} bin ${command}`, `${name} no longer installs the command ${command}.`);
  for (const [command, file] of Object.entries(after)) {
    if (before[command] === undefined)
      add('addition', `${name} bin ${command}`, `${name} installs a new command, ${command}.`);
    if (!next.files.includes(file.replace(/^\.\//, '')))
      add(
        'break',
        `${name} bin ${command} ${file}`,
        `The command ${command} names ${file}, which the package does not contain.`,
      );
  }
}

function compareDependencies(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  const [before, after] = [base.manifest, next.manifest];
  for (const [other, range] of Object.entries(after.dependencies)) {
    const was = before.dependencies[other];
    const place = `${name} depends on ${other}`;
    if (isOwn(other, base, next) && was !== undefined) continue;
    if (was === undefined) add('fix', place, `${name} now depends on ${other} ${range}, which npm installs with it.`);
    else if (was !== range) add('fix', place, `${name} now depends on ${other} ${range} (before: ${was}).`);
  }
  for (const other of Object.keys(before.dependencies)) {
    if (after.dependencies[other] !== undefined) continue;
    // Peers are reported below.
    if (after.peerDependencies[other] === undefined)
      add(
        'fix',
        `${name} depends on ${other}`,
        `${name} no longer depends on ${other}. If your program imports it, install it yourself.`,
      );
  }
  comparePeers(name, base, next, add);
}

function comparePeers(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  const [before, after] = [base.manifest, next.manifest];
  const isOptional = ({ peerDependenciesMeta }: typeof before, peer: string): boolean =>
    peerDependenciesMeta[peer]?.optional === true;
  for (const [peer, range] of Object.entries(after.peerDependencies)) {
    const place = `${name} peer ${peer}`;
    const was = before.peerDependencies[peer];
    if (was === undefined) {
      if (isOptional(after, peer)) add('addition', place, `${name} can now work with ${peer} ${range}.`);
      else add('break', place, `${name} now needs ${peer} ${range} beside it: install it.`);
      continue;
    }
    if (isOptional(before, peer) && !isOptional(after, peer))
      add('break', `${place} required`, `${name} now always needs ${peer} ${range} beside it: install it.`);
    if (was === range || isOwn(peer, base, next)) continue;
    if (includes(range, was)) add('addition', place, `${name} also works with ${peer} ${range} (before: ${was}).`);
    else add('break', place, `${name} needs ${peer} ${range} beside it (before: ${was}). Update it.`);
  }
  for (const peer of Object.keys(before.peerDependencies)) {
    if (after.peerDependencies[peer] !== undefined) continue;
    const sentence =
      after.dependencies[peer] === undefined
        ? `${name} no longer works with ${peer}.`
        : `${name} brings ${peer} itself and no longer uses your copy.`;
    add('break', `${name} peer ${peer}`, sentence);
  }
}

/** All packages of a release have the same version, so the ranges between them follow it. */
function isOwn(other: string, base: PackedPackage, next: PackedPackage): boolean {
  const names = [base.manifest, next.manifest].map(({ dependencies, peerDependencies, version }) =>
    [dependencies[other], peerDependencies[other]].some((range) => range?.replace(/^[\^~]/, '') === version),
  );
  return names.every(Boolean);
}

function compareEngines(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  const [before, after] = [base.manifest.engines, next.manifest.engines];
  for (const engine of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was = '*', is = '*'] = [before[engine], after[engine]];
    if (was === is) continue;
    const place = `${name} engine ${engine}`;
    if (includes(is, was)) add('addition', place, `${name} also runs on ${engine} ${is} (before: ${was}).`);
    else add('break', place, `${name} needs ${engine} ${is} (before: ${was}). Update ${engine} first.`);
  }
}

/** Whether a range includes all versions of another one. */
function includes(range: string, other: string): boolean {
  if (validRange(range) === null || validRange(other) === null)
    throw new Error(`This is not a version range: ${range}, ${other}.`);
  return subset(other, range);
}

/**
 * Files that users read by path, or that documents link to. Bundles, chunks and declarations are reached through the
 * entries.
 */
const ownFiles = /^(?:LICENSE|README\.md|dist\/(?:docs|spec|skills)\/.+|dist\/[\w.-]+\.json)$/;

function compareFiles(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  for (const file of base.files)
    if (ownFiles.test(file) && !next.files.includes(file))
      add('break', `${name}/${file}`, `${name} no longer contains ${file}.`);
  for (const file of next.files)
    if (ownFiles.test(file) && !base.files.includes(file))
      add('addition', `${name}/${file}`, `${name} also contains ${file}.`);
}

function compareSizes(name: string, base: PackedPackage, next: PackedPackage, add: Add): void {
  for (const [what, before, after] of [
    ['to download', base.packed, next.packed],
    ['on the disk', base.unpacked, next.unpacked],
  ] as const) {
    if (after <= before * (1 + permittedGrowth)) continue;
    const growth = Math.round((after / before - 1) * 100);
    add(
      'fix',
      `${name} size ${what}`,
      `${name} is ${growth} % larger ${what}: ${kilobytes(after)} (before: ${kilobytes(before)}).`,
    );
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000).toLocaleString('en-GB')} kB`;
}
