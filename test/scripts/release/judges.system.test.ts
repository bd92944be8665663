import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordExchanges } from '../../../scripts/release/behaviour/record.ts';
import { behaviourJudge } from '../../../scripts/release/behaviour.ts';
import { commandsJudge } from '../../../scripts/release/commands.ts';
import { missingPostgres } from '../../../scripts/release/data/postgres.ts';
import { dataJudge } from '../../../scripts/release/data.ts';
import { packagesJudge } from '../../../scripts/release/packages.ts';
import type { Judge } from '../../../scripts/release/verdict.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { idsIn } from '../../../scripts/spec/rule-tests.ts';
import { rules } from '../../../src/sandbox/index.ts';
import { fileWith, type Plant, plantRelease, presentRelease, removeRelease } from './planted-release.ts';

const patience = 240_000;
const { version } = presentRelease();
const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

/** The lines of a judge for this repository as the base and a changed copy as the next release. */
async function linesOf({ judge }: Judge, plants: readonly Plant[]): Promise<string[]> {
  const next = plantRelease(plants);
  onTestFinished(() => removeRelease(next));
  const verdicts = await judge(presentRelease(), next);
  return verdicts.map(({ impact, sentence }) => `${impact}: ${sentence}`);
}

test('packages: a removed entry and a newer Node break, and missing entries do not load', {
  timeout: patience,
}, async () => {
  const manifest = 'src/client/package.json';
  const query = JSON.parse(readFileSync(join(repositoryRoot, manifest), 'utf8')).exports['./query'];
  const lines = await linesOf(packagesJudge, [
    [manifest, `"./query": ${JSON.stringify(query, null, 2).replaceAll('\n', '\n    ')},\n`, ''],
    [manifest, '"node": ">=20.19"', '"node": ">=24"'],
    ['src/sandbox/dist/index.cjs', "'use strict';", "'use strict'; require('not-there');"],
  ]);
  expect(lines).toEqual([
    'break: The entry carillon/query was removed.',
    'break: carillon needs node >=24 (before: >=20.19). Update node first.',
    expect.stringMatching(
      /^break: carillon-sandbox cannot be loaded with `require\('carillon-sandbox'\);`: Error: Cannot find module/,
    ),
  ]);
});

test.skipIf(missingPostgres)(
  `data: each kind that the next release cannot open is a break${skipped}`,
  { timeout: patience },
  async () => {
    const sandbox = 'src/sandbox/dist/bin/carillon-sandbox.js';
    const jobs = fileWith('src/jobs/dist', 'function foundBy(');
    const lines = await linesOf(dataJudge, [
      [sandbox, 'applicationId: 0x4361_5361,\n    version: 1,', 'applicationId: 0x4361_5361,\n    version: 2,'],
      ['src/client/dist/journal.js', 'applicationId: 0x4361_4a6f', 'applicationId: 0x4361_4a70'],
      [fileWith('src/sandbox/dist', "crm: zArea('crm')"), "crm: zArea('crm')", "customers: zArea('crm')"],
      [jobs, "result === undefined ? { outcome: 'not done' }", "true ? { outcome: 'not done' }"],
    ]);
    // Earlier releases have the same lines.
    const ofPresent = lines.filter((line) => line.includes(version)).map((line) => line.replaceAll(version, 'VERSION'));
    expect(ofPresent).toEqual([
      expect.stringMatching(
        /^break: A data folder of carillon-sandbox that VERSION wrote is not opened: .*is damaged\. Restore it/,
      ),
      expect.stringMatching(/^break: A snapshot that VERSION wrote makes the program fail without advice: .*"crm"/),
      expect.stringMatching(
        /^break: A journal that VERSION wrote is not opened: journal\.sqlite is not a journal .*\. Choose another file\.$/,
      ),
      'break: 1 of 110 rows of a database of jobs of VERSION end differently, such as Row-039: done, 2 times at the service (expected: done, once at the service).',
    ]);
  },
);

test.skipIf(missingPostgres)(`data: this release opens its own${skipped}`, { timeout: patience }, async () => {
  expect(await linesOf(dataJudge, [])).toEqual([]);
});

test('commands: a removed option, a value of a job, an exit code and a tool break', { timeout: patience }, async () => {
  const lines = await linesOf(commandsJudge, [
    [fileWith('src/sandbox/dist', "'--seed <number>'"), "'--seed <number>'", "'--records <number>'"],
    [
      fileWith('src/jobs/dist', 'const dealDetails ='),
      "const dealDetails = ['attributes', 'comments', ",
      "const dealDetails = ['attributes', ",
    ],
    [fileWith('src/cli/dist', 'unconfirmed: 10'), 'unconfirmed: 10', 'unconfirmed: 12'],
    [fileWith('src/cli/dist', 'isReading, ...('), 'readOnlyHint: isReading', 'readOnlyHint: true'],
    ['generated/llms.txt', '- `crm.users.list` (read)', '- `crm.users.all` (read)'],
  ]);
  expect(lines).toEqual([
    'break: The help of `carillon` no longer lists `10` (Exit codes).',
    'addition: The help of `carillon` lists `12` (Exit codes).',
    'break: `carillon-sandbox` no longer has the option `--seed`.',
    'addition: `carillon-sandbox` has a new option, `--records`.',
    'break: The option `--detail` of the job export-deals no longer accepts comments. Choose attributes, contacts, payments.',
    'break: The tool `run` says readOnlyHint true (before: false): hosts may ask people at other calls than before.',
    'break: The file llms.txt no longer lists the method `crm.users.list`.',
  ]);
});

test('behaviour: a changed refusal and a failing workflow are lines', { timeout: patience }, async () => {
  const chunk = fileWith('src/sandbox/dist', "return context.refuse('deal-fail-needs-enabled-fail-reason'");
  const lines = await linesOf(behaviourJudge, [[chunk, 'if (!byDefault) {', 'if (byDefault) {']]);
  const rule = 'Rule deal-fail-needs-enabled-fail-reason: Status 2 is accepted only if';
  expect(lines).toEqual([
    expect.stringContaining(
      `break: The sandbox now refuses PUT /crm/v1/deals/{id} with 422 in a case that it accepted. ${rule}`,
    ),
    expect.stringContaining(
      `fix: The sandbox now refuses PUT /crm/v1/deals/{id} for another reason (before: unknown-reference). ${rule}`,
    ),
    expect.stringContaining(
      'break: The workflow dealLife (deal.arazzo.yaml) now fails at its step failDeal: success criteria',
    ),
  ]);
});

test('behaviour: without recordings, the tests of the base run', { timeout: patience }, async () => {
  const recorded = await recordExchanges(repositoryRoot);
  const ids = new Set(
    recorded.flatMap(({ steps }) => steps.flatMap((step) => ('test' in step ? idsIn(step.test) : []))),
  );
  const missing = Object.keys(rules).filter((id) => !ids.has(id));
  // Its tests change the account by other means than requests.
  expect(missing).toEqual(['email-account-activated']);
});
