import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from 'carillon/journal';

// A step is done once over two openings of the journal, on every runtime that has SQLite.
const folder = mkdtempSync(join(tmpdir(), 'carillon-journal-'));
const file = join(folder, 'steps.sqlite');
let calls = 0;
const step = {
  row: 'a\u2028',
  step: 'create',
  values: { name: 'Ada\u2028' },
  async send() {
    calls += 1;
    return 7;
  },
  find: async () => undefined,
};
try {
  for (const durable of ['disk', 'process']) {
    const journal = await openJournal({ file, durable });
    const id = await journal.once(step);
    await journal.close();
    if (id !== 7 || calls !== 1) throw new Error(`${calls} calls, ID ${id}`);
  }
  console.log('done');
} catch (error) {
  console.log(error.message);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
