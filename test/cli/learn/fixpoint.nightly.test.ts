import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { replies } from '../../../generated/replies.ts';
import { checkOverlay } from '../../../scripts/check/overlay.ts';
import { repositoryRoot, specNames, specPath } from '../../../scripts/spec/files.ts';
import { gapsFile } from '../../../scripts/spec/gaps.ts';
import { findAll } from '../../../src/cli/learn/findings.ts';
import { createOverlay, type Overlay } from '../../../src/cli/learn/overlay.ts';
import { writeObserved } from '../../../src/shared/observed/observed.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import { sandboxTraffic } from '../../support/sandbox-traffic.ts';

const execute = promisify(execFile);
const redocly = join(repositoryRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const env = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
  NODE_OPTIONS: '',
};
/** A copy of the project with the overlays applied to its specs. It is in the repository, because Biome formats only files there. */
const copy = join(repositoryRoot, '.cache', `fixpoint-${process.pid}`);
const overlays = new Map<string, Overlay>();
let recorded = '';

beforeAll(async () => {
  const recorder = new Recorder(Object.values(replies));
  for (let round = 0; round < 8; round += 1)
    for (const { operationId, status, body } of await sandboxTraffic()) recorder.record(operationId, status, body);
  const observed = { accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } };
  recorded = JSON.stringify(await sandboxTraffic());
  expect(writeObserved(observed).length).toBeGreaterThan(1_000);
  const findings = findAll(observed);
  for (const name of specNames) overlays.set(name, createOverlay(findings, name, { accept: ['all'] }));
  mkdirSync(copy, { recursive: true });
  for (const name of [
    'src',
    'scripts',
    'spec',
    'generated',
    'biome.json',
    'redocly.yaml',
    '.spectral.yaml',
    '.redocly.lint-ignore.yaml',
    'package.json',
    'tsconfig.json',
    'CONTRIBUTING.md',
  ])
    cpSync(join(repositoryRoot, name), join(copy, name), {
      recursive: true,
      filter: (source) => !/[/\\](?:node_modules|dist)$/.test(source),
    });
  // The packages of the copy import each other.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(repositoryRoot, 'node_modules'))) {
    const isOurs = name === 'carillon' || name.startsWith('carillon-');
    const target = isOurs ? join(copy, 'src', name.replace('carillon-', '').replace('carillon', 'client')) : name;
    symlinkSync(resolve(repositoryRoot, 'node_modules', target), join(copy, 'node_modules', name));
  }
  symlinkSync(join(repositoryRoot, 'src', 'cli', 'node_modules'), join(copy, 'src', 'cli', 'node_modules'));
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('an overlay of carillon learn', () => {
  it.each(specNames)('targets existing places of the spec: %s', (name) => {
    const file = join(copy, `${name}.overlay.json`);
    writeFileSync(file, JSON.stringify(overlays.get(name)));
    expect(checkOverlay(name, file).length).toBeGreaterThan(5);
  });

  it('never makes a field required', () => {
    expect(JSON.stringify([...overlays.values()])).not.toContain('"required"');
  });

  it('allows the types that a component with the same fields has, without a reference to it', () => {
    const json = JSON.stringify(overlays.get('crm'));
    expect(json).toContain('"typeId":{"description":"Seen in replies; not documented.","type":["integer","string"]}');
    expect(json).not.toContain('$ref');
  });

  it('gives specs that pass lint, generate and compile, and the same traffic has no further findings', async () => {
    for (const name of specNames) {
      const overlay = join(copy, `${name}.overlay.json`);
      await execute(
        process.execPath,
        [redocly, 'bundle', specPath(name), '--overlay', overlay, '-o', join(copy, 'spec', `${name}.yaml`)],
        { env, cwd: repositoryRoot },
      );
    }
    // The lint requires a point for each gap.
    const specs = specNames.map((name) => readFileSync(join(copy, 'spec', `${name}.yaml`), 'utf8')).join('\n');
    const gaps: Record<string, unknown> = parse(readFileSync(gapsFile, 'utf8'));
    const left = Object.entries(gaps).filter(([id]) => new RegExp(`gap: ${id}\\b`).test(specs));
    writeFileSync(join(copy, 'spec', 'gaps.yaml'), stringify(Object.fromEntries(left)));
    const source = ['--conditions=carillon-source'];
    const generated = await execute(process.execPath, [...source, join(copy, 'scripts', 'generate', 'main.ts')], {
      cwd: copy,
      env,
    }).catch((error) => error);
    expect(`${generated.stdout}${generated.stderr}`).toMatch(/generated\/: \d+ files, \d+ changed/);
    writeFileSync(
      join(copy, 'tsconfig.check.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['generated', 'src'],
        exclude: ['**/node_modules'],
      }),
    );
    const tsc = join(repositoryRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');
    const compiled = await execute(process.execPath, [tsc, '-p', join(copy, 'tsconfig.check.json')], {
      cwd: copy,
      env,
    }).catch((error) => error);
    expect(compiled.stdout).toBe('');
    writeFileSync(join(copy, 'traffic.json'), recorded);
    writeFileSync(join(copy, 'again.ts'), again);
    const { stdout } = await execute(process.execPath, [...source, join(copy, 'again.ts')], { cwd: copy, env });
    const found: { differences: unknown[]; newFields: string[]; settled: string[] } = JSON.parse(stdout);
    // The body that several operations share stays open.
    const others = found.newFields.filter((field) => !field.startsWith('email #/components/schemas/OpenBody'));
    expect({ ...found, newFields: others }).toEqual({ differences: [], newFields: [], settled: [] });
  }, 300_000);
});

const again = `
import { readFileSync } from 'node:fs';
import { findAll } from './src/cli/learn/findings.ts';
import { learntProducts } from './src/cli/learn/products.ts';
import { Recorder } from './src/shared/observed/recorder.ts';
const recorder = new Recorder(learntProducts.map(({ replies }) => replies));
const traffic = JSON.parse(readFileSync(new URL('traffic.json', import.meta.url), 'utf8'));
for (let round = 0; round < 8; round += 1)
  for (const { operationId, status, body } of traffic) recorder.record(operationId, status, body);
const found = findAll({ accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } });
const fields = found.newFields.map(({ product, at, name }) => [product, at, name].join(' '));
const settled = found.points.filter(({ state }) => state === 'settled').map(({ product, point }) => product + ' ' + point.at);
console.log(JSON.stringify({ differences: found.differences, newFields: fields, settled }));
`;
