import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { startAt } from '../../sandbox/support.ts';
import { isNightly } from '../../support/amounts.ts';
import { breakCriterion, criteriaOf } from './expectations.ts';
import { type Played, redocly, respect, type WorkflowFile, workflowFile } from './respect.ts';

const sources = join(repositoryRoot, 'spec', 'workflows');
const names = (await readdir(sources)).sort();
const stories = names.filter((name) => name.endsWith('.arazzo.yaml'));

/** A story with a misspelt field, which an open record would store and return. */
const misspelt = 'misspelt-deal.arazzo.yaml';

function misspell(story: string): string {
  return story.replaceAll('failReasonComment', 'failReasonComent');
}

/** The story unchanged, with its last expectation broken, and at night with all of them broken. */
let whole: ReadonlyMap<string, Played>;
let broken: ReadonlyMap<string, Played>;
let copies: string;

beforeAll(async () => {
  copies = await mkdtemp(join(tmpdir(), 'workflows-'));
  const played = new Map<string, WorkflowFile>();
  const warned = new Map<string, WorkflowFile>();
  for (const name of stories) {
    played.set(name, await read(name));
    const last = await read(name);
    const criterion = criteriaOf(last).at(-1);
    if (criterion) breakCriterion(criterion);
    played.set(`last-${name}`, last);
    const all = await read(name);
    for (const [number, one] of criteriaOf(all).entries()) breakCriterion(one, number);
    warned.set(name, all);
  }
  played.set(misspelt, workflowFile.parse(parse(misspell(await readFile(join(sources, 'deal.arazzo.yaml'), 'utf8')))));
  const create = (): Sandbox => createSandbox({ startAt, control: true, strict: true });
  whole = await respect(played, { sources, copies }, create);
  // As warnings, so that a workflow continues after the first failure.
  broken = isNightly
    ? await respect(warned, { sources, copies }, create, ['--severity=SUCCESS_CRITERIA_CHECK=warn'])
    : new Map();
});

afterAll(() => rm(copies, { recursive: true, force: true }));

async function read(name: string): Promise<WorkflowFile> {
  return workflowFile.parse(parse(await readFile(join(sources, name), 'utf8')));
}

test('the folder contains every story', () => {
  expect(stories).toEqual([
    'campaign.arazzo.yaml',
    'contact.arazzo.yaml',
    'deal.arazzo.yaml',
    'email.arazzo.yaml',
    'unsubscribe.arazzo.yaml',
    'web-push.arazzo.yaml',
  ]);
});

test('every file of the folder passes the lint', async () => {
  const { passed, output } = await redocly(['lint', ...names.map((name) => join(sources, name))]);
  expect(passed, output).toBe(true);
});

test('a story that sends a field without a place in the spec fails, with its step', () => {
  const { problems } = whole.get(misspelt) ?? expect.fail('It was not played');
  expect(problems[0]).toMatchObject({ workflow: 'dealLife', step: 'failDeal' });
});

test('no two workflows have the same ID', async () => {
  const ids = (await Promise.all(stories.map(read))).flatMap(({ workflows }) => workflows.map((one) => one.workflowId));
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(stories)('%s', (name) => {
  test('all its workflows pass against the served sandbox', async () => {
    const file = await read(name);
    const { workflows, criteria, others, problems } = whole.get(name) ?? expect.fail('It was not played');
    const listed = problems.map(({ workflow, step, problem }) => `${workflow}, step ${step}: ${problem}`).join('\n');
    expect(workflows, `spec/workflows/${name}\n${listed}`).toEqual(
      file.workflows.map(({ workflowId }) => [workflowId, 'success']),
    );
    expect(new Set(criteria)).toEqual(new Set(['success']));
    expect(criteria.length).toBeGreaterThanOrEqual(criteriaOf(file).length);
    expect(others).toEqual([]);
  });

  test.runIf(isNightly)('each of its expectations can fail', async () => {
    const { criteria } = broken.get(name) ?? expect.fail('It was not played');
    expect(new Set(criteria)).toEqual(new Set(['warn']));
    expect(criteria.length).toBeGreaterThanOrEqual(criteriaOf(await read(name)).length);
  });

  test('one broken expectation makes it fail', () => {
    const { workflows, criteria } = whole.get(`last-${name}`) ?? expect.fail('It was not played');
    expect(workflows.map(([, status]) => status)).toContain('error');
    expect(criteria.filter((status) => status !== 'success')).toEqual(['error']);
  });
});
