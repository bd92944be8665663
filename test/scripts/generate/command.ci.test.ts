import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { Result } from './run-command.ts';
import { writeSmallSpecs } from './small-specs.ts';

/** Files that the command needs, copied so that specs can be broken and `generated/` watched. */
const parts = ['scripts', 'src', 'spec', 'package.json', 'redocly.yaml', '.spectral.yaml', 'biome.json'];
let root: string;
let command: ChildProcess;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'carillon-command-'));
  for (const part of parts) cpSync(join(repositoryRoot, part), join(root, part), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'));
  writeSmallSpecs(root);
  const program = join(root, 'scripts', 'generate', 'main.ts');
  // A copy of the program works on the copy of the repository.
  command = fork(join(import.meta.dirname, 'run-command.ts'), [program], { cwd: root });
  expect(await generate()).toMatchObject({ code: 0, errors: '' });
});
afterAll(() => {
  command.kill();
  rmSync(root, { recursive: true, force: true });
});

/** Runs `npm run generate -- …` in the copy. */
async function generate(...args: string[]): Promise<Result> {
  command.send(args);
  // A crashed command sends no message, so also wait for its exit.
  const ended = once(command, 'exit').then(([code]): never => expect.fail(`The command ended with ${code}`));
  const [result]: Result[] = await Promise.race([once(command, 'message'), ended]);
  return result ?? expect.fail('The command gave no result');
}

function editSpec(name: string, edit: (text: string) => string): void {
  const file = join(root, 'spec', `${name}.yaml`);
  const text = readFileSync(file, 'utf8');
  const changed = edit(text);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}

function generatedFiles(): Record<string, string> {
  const directory = join(root, 'generated');
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

describe('npm run generate', { timeout: 200_000 }, () => {
  it('reports a changed spec as stale until it is generated', async () => {
    editSpec('email', (text) => text.replace('description: How many notes to skip.', 'description: Notes to skip.'));
    const stale = await generate('--check');
    expect(stale.code).toBe(1);
    expect(stale.errors).toContain('generated/email/methods.ts (stale)');
    expect(stale.errors).not.toContain('generated/crm/');
    expect(stale.errors).toContain('run `npm run generate`');

    const written = await generate();
    expect(written).toMatchObject({ code: 0, errors: '' });
    expect(written.output).toContain('generated/email/methods.ts (changed)');
    expect(written.output).not.toContain('stale');
    expect(readFileSync(join(root, 'generated/email/methods.ts'), 'utf8')).toContain('Notes to skip.');
  });

  it('reports a coverage row that fits no spec, with file and line', async () => {
    const file = join(root, 'spec/coverage/email.md');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `| 1 §2 | a note | \`#/components/schemas/Missing\` |\n${before}`);
    const { code, errors } = await generate('--check');
    writeFileSync(file, before);
    expect([code, errors]).toEqual([1, expect.stringMatching(/^spec\/coverage\/email\.md:1:1 coverage /)]);
  });

  it('names file, line and cause of every fault, in YAML or in the spec, and leaves the output unchanged', async () => {
    const before = generatedFiles();
    const spec = readFileSync(join(root, 'spec/crm.yaml'), 'utf8').split('\n');
    const line = spec.findIndex((text) => text.includes('#/components/schemas/')) + 1;
    editSpec('crm', (text) => text.replace('#/components/schemas/', '#/components/schemas/Missing'));
    editSpec('messaging', (text) => `${text}\n  broken: [\n`);
    const { code, errors, output } = await generate();
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^spec/crm\\.yaml:${line}:\\d+ invalid-ref .*Missing`, 'm'));
    const torn = /^spec\/messaging\.yaml:(\d+):\d+ yaml /m.exec(errors);
    expect(Number(torn?.[1])).toBeGreaterThanOrEqual(spec.length);
    expect(errors).toContain('Nothing was generated');
    expect(errors).not.toMatch(/^ +at /m);
    expect(output).toBe('');
    expect(generatedFiles()).toEqual(before);
  });
});
