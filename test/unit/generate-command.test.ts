import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** What the command needs of the repository, copied so that specs can be broken and `generated/` watched. */
const parts = [
  'scripts',
  'src',
  'spec',
  'generated',
  'test',
  'package.json',
  'redocly.yaml',
  '.redocly.lint-ignore.yaml',
  '.spectral.yaml',
];
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-command-'));
  for (const part of parts) cpSync(join(repositoryRoot, part), join(root, part), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Result {
  code: number;
  output: string;
  errors: string;
}

/** `npm run generate -- …` in the copy. */
function generate(...args: string[]): Promise<Result> {
  const options = { cwd: root, timeout: 100_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/generate.ts', ...args], options, (error, output, errors) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, output, errors });
    });
  });
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
  it('finds a change of a spec stale until it is generated', async () => {
    editSpec('email', (text) =>
      text.replace(/^( +)subject: \{type: string, /m, '$1subject: {type: string, maxLength: 77, '),
    );
    const stale = await generate('--check');
    expect(stale.code).toBe(1);
    expect(stale.errors).toContain('generated/email/report.txt (stale)');
    expect(stale.errors).toContain('run `npm run generate`');

    const written = await generate();
    expect(written).toMatchObject({ code: 0, errors: '' });
    expect(written.output).toContain('generated/email/report.txt (stale)');
    expect(readFileSync(join(root, 'generated/email/report.txt'), 'utf8')).toMatch(/\.subject: .*maxLength=77/);

    expect(await generate('--check')).toMatchObject({ code: 0, errors: '' });
  });

  it('names file, line and cause of what is broken, and leaves what was generated as it was', async () => {
    const before = generatedFiles();
    const spec = readFileSync(join(root, 'spec/crm.yaml'), 'utf8');
    const line = spec.split('\n').findIndex((text) => text.includes("$ref: '#/components/schemas/")) + 1;
    editSpec('crm', (text) => text.replace("$ref: '#/components/schemas/", "$ref: '#/components/schemas/Missing"));
    const { code, errors, output } = await generate();
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^spec/crm\\.yaml:${line}:\\d+ \\S+ .*resolve`, 'm'));
    expect(errors).toContain('Nothing was generated');
    expect(errors).not.toMatch(/^ +at /m);
    expect(output).toBe('');
    expect(generatedFiles()).toEqual(before);
    writeFileSync(join(root, 'spec/crm.yaml'), spec);
  });

  it('names the line of a file that is no YAML', async () => {
    const before = generatedFiles();
    const lines = readFileSync(join(root, 'spec/messaging.yaml'), 'utf8').split('\n');
    editSpec('messaging', (text) => `${text}\n  broken: [\n`);
    const { code, errors } = await generate('--check');
    expect(code).toBe(1);
    const place = /^spec\/messaging\.yaml:(\d+):\d+ yaml /m.exec(errors);
    expect(Number(place?.[1])).toBeGreaterThanOrEqual(lines.length);
    expect(generatedFiles()).toEqual(before);
  });

  it('tells how it is used when it is called in another way', async () => {
    const { code, errors } = await generate('--no-such-option');
    expect(code).toBe(2);
    expect(errors).toContain('Usage: npm run generate');
  });
});
