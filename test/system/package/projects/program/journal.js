import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from 'carillon/journal';

// Each of 1,000 steps is done once over two openings of the journal, on every runtime that has SQLite.
const folder = mkdtempSync(join(tmpdir(), 'carillon-journal-'));
const file = join(folder, 'steps.sqlite');
const rows = Array.from({ length: 1_000 }, (_, index) => `${index}\u2028`);
let calls = 0;
const stepOf = (row) => ({
  row,
  step: 'create',
  values: { name: `Ada\u2028${'x'.repeat(300)}` },
  async send() {
    calls += 1;
    return 7;
  },
  find: async () => undefined,
});
try {
  for (const durable of ['disk', 'process']) {
    const journal = await openJournal({ file, durable });
    const second = await openJournal({ file }).catch((error) => error.message);
    if (second !== `${file} is in use by another process. Stop it first.`) throw new Error(`Second opening: ${second}`);
    const ids = await Promise.all(rows.map((row) => journal.once(stepOf(row))));
    await journal.close();
    if (ids.some((id) => id !== 7) || calls !== rows.length) throw new Error(`${calls} calls`);
  }
  const mode = (statSync(file).mode & 0o777).toString(8);
  if (process.platform !== 'win32' && mode !== '600') throw new Error(`The mode is ${mode}`);
  console.log('done');
} catch (error) {
  console.log(error.message);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
