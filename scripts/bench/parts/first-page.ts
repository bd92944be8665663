import { ContactConditionField, ContactSortDirection, ContactSortField } from '../../../generated/crm/models.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { interleave } from '../interleave.ts';
import type { Settings } from '../results.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';

const sizes = [10_000, 100_000];

/** Request bodies by name: unfiltered, by every sort, and with one condition on each field. */
function listBodies({ state }: Sandbox): Record<string, object> {
  const [attributeId] = state.crm.contactAttributes.keys();
  const sorts = Object.values(ContactSortField).flatMap((fieldName) =>
    Object.values(ContactSortDirection).map((direction) => [
      `by ${fieldName}, ${direction}`,
      { sortBy: { fieldName, direction }, attributeIds: [attributeId] },
    ]),
  );
  const conditions = Object.values(ContactConditionField).map((field) => [
    `a condition on ${field}`,
    { fieldValueConditions: [{ field, expression: 'eq', value: 'Ann' }] },
  ]);
  return { unfiltered: {}, ...Object.fromEntries([...sorts, ...conditions]) };
}

/** Measures the first page of a list of contacts in a sandbox in this process. */
export async function measureFirstPages({ quick, report }: Settings): Promise<Table> {
  const columns: MeasuredColumn[] = [];
  let subjects: string[] = [];
  for (const size of sizes) {
    const title = `${size.toLocaleString('en-US')} contacts`;
    report(`first page of ${title} …`);
    const sandbox = createSandbox({ seed: size });
    const bodies = Object.entries(listBodies(sandbox));
    const turns = Object.fromEntries(bodies.map(([name, body]) => [name, () => timeOf(sandbox, body)]));
    await interleave(turns, quick ? 1 : 5);
    const samples = await interleave(turns, quick ? 1 : 15);
    columns.push({ title, unit: 'ms', better: 'lower', samples });
    subjects = Object.keys(samples);
  }
  return buildTable('First page of a list of contacts in the sandbox, in process', subjects, columns);
}

async function timeOf(sandbox: Sandbox, body: object): Promise<number> {
  const begun = performance.now();
  const response = await sandbox.fetch('https://sandbox.example.com/crm/v1/contacts/get-list', {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: JSON.stringify(body),
  });
  const milliseconds = performance.now() - begun;
  if (response.status !== 200)
    throw new Error(`The sandbox responded with ${response.status}: ${await response.text()}`);
  return milliseconds;
}
