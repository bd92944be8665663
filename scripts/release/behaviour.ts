import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { z } from 'zod';
import { compareBehaviour, firstDifference, type Replayed } from './behaviour/compare.ts';
import { type Recorded, recorded } from './behaviour/exchange.ts';
import { recordExchanges } from './behaviour/record.ts';
import { loadSandboxes, replay } from './behaviour/replay.ts';
import { respect, workflowFile } from './behaviour/respect.ts';
import type { Judge, Release, Verdict } from './verdict.ts';

/**
 * Behaviour rules: sends the base release's recorded test requests, and the workflows of its spec, to the next sandbox.
 *
 * Requests are recorded while the tests run, so the tests need not fit the internals of another sandbox. A release keeps them
 * in `test/releases/`. For a base without recordings, its tests run now.
 */
export const behaviourJudge: Judge = {
  surface: 'behaviour',
  async judge(base, next) {
    return [...(await judgeRules(base, next)), ...(await judgeWorkflows(base, next))];
  },
};

async function judgeRules(base: Release, next: Release): Promise<Verdict[]> {
  const sandboxes = await loadSandboxes(next.folder);
  const found: Replayed[] = [];
  for (const one of await readExchanges(base)) {
    const difference = firstDifference(one, await replay(one, sandboxes));
    if (difference) found.push(difference);
  }
  return compareBehaviour(found, sandboxes.rules);
}

async function readExchanges({ folder, version }: Release): Promise<Recorded[]> {
  const file = join(folder, 'test', 'releases', version, 'exchanges.json.gz');
  if (!existsSync(file)) return recordExchanges(folder);
  return z.array(recorded).parse(JSON.parse(gunzipSync(readFileSync(file)).toString()));
}

/** After the end of the example story (spec/README.md). */
const startAt = Date.UTC(2026, 10, 4, 12);

async function judgeWorkflows(base: Release, next: Release): Promise<Verdict[]> {
  const { createSandbox } = await loadSandboxes(next.folder);
  const sources = join(base.folder, 'spec', 'workflows');
  const copies = mkdtempSync(join(tmpdir(), 'carillon-workflows-'));
  try {
    const names = readdirSync(sources).filter((name) => name.endsWith('.arazzo.yaml'));
    const files = new Map(
      names.map((name) => [name, workflowFile.parse(parse(readFileSync(join(sources, name), 'utf8')))]),
    );
    const played = await respect(files, { sources, copies }, () => createSandbox({ startAt, control: true }));
    const missing = names.filter((name) => !played.has(name));
    if (missing.length > 0) throw new Error(`Redocly did not run the workflows of ${missing.join(', ')}.`);
    return [...played].flatMap(([name, { problems }]) => problems.map((problem) => failedStep(name, problem)));
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

function failedStep(
  name: string,
  { workflow, step, problem }: { workflow: string; step: string; problem: string },
): Verdict {
  return {
    surface: 'behaviour',
    impact: 'break',
    place: `${name} ${workflow} ${step} ${problem}`,
    sentence: `The workflow ${workflow} (${name}) now fails at its step ${step}: ${problem.trim().replace(/\.$/, '')}.`,
  };
}
