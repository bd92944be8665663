import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { breakCriterion, criteriaOf, type WorkflowFile, workflowFile } from './expectations.ts';
import { redocly, respect } from './respect.ts';

const folder = join(repositoryRoot, 'spec', 'workflows');
const names = (await readdir(folder)).sort();
const stories = names.filter((name) => name.endsWith('.arazzo.yaml'));
let temporary: string;

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'workflows-'));
});

afterAll(() => rm(temporary, { recursive: true, force: true }));

async function read(name: string): Promise<WorkflowFile> {
  return workflowFile.parse(parse(await readFile(join(folder, name), 'utf8')));
}

/** A changed copy, which finds its sources from where it stands. */
async function write(name: string, file: WorkflowFile): Promise<string> {
  const path = join(temporary, name);
  const sourceDescriptions = file.sourceDescriptions.map((source) => ({ ...source, url: resolve(folder, source.url) }));
  await writeFile(path, stringify({ ...file, sourceDescriptions }));
  return path;
}

test('the folder tells every story that it is there for', () => {
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
  const { passed, output } = await redocly(['lint', ...names.map((name) => join(folder, name))]);
  expect(passed, output).toBe(true);
});

test('no two workflows have the same ID', async () => {
  const ids = (await Promise.all(stories.map(read))).flatMap(({ workflows }) => workflows.map((one) => one.workflowId));
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(stories)('%s', (name) => {
  test('all its workflows pass against the served sandbox', async () => {
    const file = await read(name);
    const count = file.workflows.length;
    const { passed, output } = await respect(join(folder, name), file);
    expect(passed, output).toBe(true);
    expect(output).toContain(`Workflows: ${count} passed, ${count} total`);
  });

  test('each of its expectations can fail', async () => {
    const file = await read(name);
    for (const [number, criterion] of criteriaOf(file).entries()) breakCriterion(criterion, number);
    // As warnings, so that a workflow goes on after the first of them.
    const severity = ['--severity=SUCCESS_CRITERIA_CHECK=warn'];
    const { output } = await respect(await write(name, file), file, severity);
    const lines = output.split('\n').filter((line) => line.includes('success criteria check - '));
    expect(lines.filter((line) => !line.trim().startsWith('⚠'))).toEqual([]);
    expect(lines.length, output).toBeGreaterThanOrEqual(criteriaOf(file).length);
  });

  test('one broken expectation turns it red', async () => {
    const file = await read(name);
    const last = criteriaOf(file).at(-1);
    if (last) breakCriterion(last);
    const { passed, output } = await respect(await write(name, file), file);
    expect(passed).toBe(false);
    const red = output.split('\n').filter((line) => line.includes('✗ success criteria check - '));
    expect(red, output).toHaveLength(1);
  });
});
