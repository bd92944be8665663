import { expect, it } from 'vitest';
import { findAll } from '../../../src/cli/learn/findings.ts';
import { createOverlay } from '../../../src/cli/learn/overlay.ts';
import { writeOwnFields } from '../../../src/cli/learn/own-fields.ts';
import { learntProducts } from '../../../src/cli/learn/products.ts';
import { writeReport } from '../../../src/cli/learn/report.ts';
import { writeObserved } from '../../../src/shared/observed/observed.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import { plantSecrets, secrets } from '../../support/planted-secrets.ts';
import { sandboxTraffic } from '../../support/sandbox-traffic.ts';

it('no output shows one of 300 secrets in values, names, Base64 and messages', async () => {
  const recorder = new Recorder(learntProducts.map(({ replies }) => replies));
  const { planted, traffic } = plantSecrets(await sandboxTraffic());
  expect(planted).toBeGreaterThan(900);
  for (const { operationId, status, body } of traffic) recorder.record(operationId, status, body);
  const observed = { accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } };
  const findings = findAll(observed);
  const outputs = [
    writeObserved(observed),
    writeReport(findings, { isWhole: true }),
    writeReport(findings, { isWhole: true, markdown: true }),
    writeOwnFields(findings),
    ...learntProducts.map(({ name }) => JSON.stringify(createOverlay(findings, name, { accept: ['all'] }))),
  ];
  for (const output of outputs) {
    expect(output.length).toBeGreaterThan(100);
    const shown = secrets.filter(
      (secret) => output.includes(secret) || output.includes(Buffer.from(secret).toString('base64')),
    );
    expect(shown).toEqual([]);
  }
});
