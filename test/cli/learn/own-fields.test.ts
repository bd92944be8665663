import { expect, it } from 'vitest';
import { crmReplies } from '../../../generated/crm/replies.ts';
import { findAll } from '../../../src/cli/learn/findings.ts';
import { writeOwnFields } from '../../../src/cli/learn/own-fields.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';

function declarations(deals: readonly object[], replies = 3): string {
  const recorder = new Recorder([crmReplies]);
  for (let reply = 0; reply < replies; reply += 1) recorder.record('listDeals', 200, { data: deals });
  return writeOwnFields(findAll({ accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } }));
}

it('declares new fields of a record with their types, all optional', () => {
  const deals = [
    { id: 1, region: 'north', score: 1, history: [{ at: 'now', by: 7 }] },
    { id: 2, region: null, score: 2.5, history: [{ at: 'now', by: 8 }] },
  ];
  expect(
    declarations(deals),
  ).toBe(`// Fields of your account that carillon learn saw in replies. Keep the ones that you use.
declare module 'carillon/crm' {
  interface DealFields {
    history?: ({ at?: string; by?: number })[];
    region?: null | string;
    score?: number;
  }
}

export {};
`);
});

it('declares none that fewer than three replies had', () => {
  const deals = [{ region: 'north' }, { region: 'south' }];
  expect(
    declarations(deals, 2),
  ).toBe(`// No record had a new field in three replies with two records each. The report lists new fields inside other fields.

export {};
`);
});
