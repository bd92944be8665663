import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getReleasePlan } from '@changesets/get-release-plan';
import { z } from 'zod';
import type { Impact, Verdict } from './verdict.ts';
import { stepFor } from './versions.ts';

const labels: Record<Impact, string> = { break: '**Breaks:** ', addition: '**New:** ', fix: '' };

/** The line of a change in the changelog, in a changeset, and in the output of the check. */
export function lineOf({ impact, sentence }: Verdict): string {
  return `- ${labels[impact]}${sentence}`;
}

/** The changes in `.changeset/` that wait for the next version. */
export interface Pending {
  /** Current version of the packages. */
  current: string;
  texts: string[];
  /** The version that the changes result in. `undefined` if there are none. */
  version: string | undefined;
}

export async function readPending(folder: string): Promise<Pending> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { version: current } = z.object({ version: z.string() }).parse(manifest);
  const { changesets, releases } = await getReleasePlan(folder);
  // All packages have the same version.
  return { current, texts: changesets.map(({ summary }) => summary), version: releases[0]?.newVersion };
}

/** The text of a version in `CHANGELOG.md`. Empty if it has no section. */
export function sectionOf(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find((text) => /^\S+/.exec(text)?.[0] === version);
  return section ?? '';
}

/** The verdicts whose sentence is missing from all texts. Ignores line breaks. */
export function findMissing(verdicts: readonly Verdict[], texts: readonly string[]): Verdict[] {
  const written = texts.map(withoutBreaks);
  return verdicts.filter(({ sentence }) => !written.some((text) => text.includes(withoutBreaks(sentence))));
}

function withoutBreaks(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/**
 * Writes changes as a changeset that raises the version as far as they require.
 *
 * @returns the path of the file below the folder
 */
export async function writeChangeset(folder: string, base: string, verdicts: readonly Verdict[]): Promise<string> {
  const steps = verdicts.map(({ impact }) => stepFor(impact, base));
  const step = (['major', 'minor', 'patch'] as const).find((each) => steps.includes(each)) ?? 'patch';
  const text = `---\n"carillon": ${step}\n---\n\n${verdicts.map(lineOf).join('\n')}\n`;
  await mkdir(join(folder, '.changeset'), { recursive: true });
  const names = new Set(await readdir(join(folder, '.changeset')));
  let number = 1;
  while (names.has(`changes-${number}.md`)) number += 1;
  const file = join('.changeset', `changes-${number}.md`);
  await writeFile(join(folder, file), text);
  return file;
}

/** Adds the section of a new version at the top of the changelog. */
export function addSection(changelog: string, version: string, texts: readonly string[]): string {
  const start = changelog.search(/^## /m);
  const place = start < 0 ? changelog.length : start;
  return `${changelog.slice(0, place)}## ${version}\n\n${texts.join('\n').trim()}\n\n${changelog.slice(place)}`;
}

export function readChangelog(folder: string): Promise<string> {
  return readFile(join(folder, 'CHANGELOG.md'), 'utf8');
}
