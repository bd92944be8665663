import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findNamedTests, idsIn } from '../../spec/rule-tests.ts';
import { runProgram } from '../built.ts';
import { leavesOf } from '../leaves.ts';
import { type Recorded, recordedLine, type Step } from './exchange.ts';
import { loadSandboxes, replay } from './replay.ts';

/** Records the requests and replies of a release's rule tests in a file. Returns their number. */
export async function writeExchanges(release: string, file: string): Promise<number> {
  const kept = await recordExchanges(release);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(JSON.stringify(kept), { level: 9 }));
  return kept.flatMap(({ steps }) => steps).filter((step) => 'request' in step).length;
}

export async function recordExchanges(release: string): Promise<Recorded[]> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-exchanges-'));
  try {
    const tests = new Set([...findNamedTests(join(release, 'test', 'sandbox')).values()].flat());
    const program = join(release, 'node_modules', 'vitest', 'vitest.mjs');
    const config = join(import.meta.dirname, 'vitest.config.ts');
    const files = [...tests].filter((name) => !name.endsWith('.system.test.ts'));
    const { code, stdout, stderr } = await runProgram(program, ['run', '--config', config, ...files], {
      cwd: release,
      env: { RECORD_RELEASE: release, RECORD_FOLDER: folder },
      timeout: 300_000,
    });
    if (code !== 0) throw new Error(`The tests of the rules of ${release} fail: ${stdout.slice(-2_000)}${stderr}`);
    const all = readdirSync(folder).flatMap((name) => readLines(readFileSync(join(folder, name), 'utf8')));
    const sandboxes = await loadSandboxes(release);
    const kept: Recorded[] = [];
    for (const one of all.map(untilLastRule)) kept.push({ ...one, steps: await keepRepeatable(one, sandboxes) });
    const used = unique(kept.filter(({ steps }) => steps.some(isOfRule)));
    if (used.length === 0) throw new Error(`The tests of the rules of ${release} sent no requests.`);
    return used;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the recordings of one process. */
function readLines(text: string): Recorded[] {
  const found = new Map<number, Recorded>();
  for (const json of text.split('\n').filter(Boolean)) {
    const line = recordedLine.parse(JSON.parse(json));
    if ('options' in line) found.set(line.sandbox, { options: line.options, steps: [] });
    else found.get(line.sandbox)?.steps.push(line.step);
  }
  return [...found.values()];
}

function isOfRule(step: Step): boolean {
  return 'request' in step && idsIn(step.test).length > 0;
}

function untilLastRule({ options, steps }: Recorded): Recorded {
  return { options, steps: steps.slice(0, steps.findLastIndex(isOfRule) + 1) };
}

/**
 * The steps before the first whose reply differs when they are repeated, which means that the test changed the data by
 * other means. Omits values that differ in each run, such as tokens, from the replies.
 */
async function keepRepeatable(one: Recorded, sandboxes: Awaited<ReturnType<typeof loadSandboxes>>): Promise<Step[]> {
  const replies = await replay(one, sandboxes);
  const kept: Step[] = [];
  for (const [at, step] of one.steps.entries()) {
    if (!('request' in step)) {
      kept.push(step);
      continue;
    }
    const again = replies[at];
    const { status, rule, choice, body } = step.reply;
    if (!again || again.status !== status || again.rule !== rule || again.choice !== choice) break;
    const [paths, others] = [leavesOf(body), leavesOf(again.body)];
    if (paths.length !== others.length || paths.some(([path], index) => path !== others[index]?.[0])) break;
    const changing = new Set(paths.flatMap(([path, value], index) => (value === others[index]?.[1] ? [] : path)));
    kept.push({ ...step, reply: { ...step.reply, body: without(body, changing) } });
  }
  return kept.slice(0, kept.findLastIndex(isOfRule) + 1);
}

function without(value: unknown, paths: ReadonlySet<string>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const path = at === '' ? name : `${at}.${name}`;
    return paths.has(path) ? [] : [[name, without(inner, paths, path)]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Drops recordings that are the beginning of another one, since many tests begin with the same requests. */
function unique(all: readonly Recorded[]): Recorded[] {
  const texts = all.map(({ options, steps }) =>
    [options, ...steps.map((step) => ('request' in step ? step.request : step))]
      .map((part) => JSON.stringify(part))
      .join('\n'),
  );
  return all.filter(
    (_, at) =>
      !texts.some(
        (text, other) => other !== at && `${text}\n`.startsWith(`${texts[at]}\n`) && (text !== texts[at] || other < at),
      ),
  );
}
