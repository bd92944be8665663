/// <reference types="node" />
import { hash } from 'node:crypto';
import { loadSqlite } from '../shared/sqlite-file.ts';
import type { SourceNotes } from './types.ts';

/** Length of the longest name that is stored without hashing, in characters. */
const maxLength = 64;

/** Notes on disk, so that millions of notes need no memory. They are deleted when this process ends. */
export interface TemporaryNotes extends SourceNotes {
  close(): void;
}

/** Opens notes in a private temporary file. */
export async function openNotes(): Promise<TemporaryNotes> {
  const DatabaseSync = await loadSqlite({ what: 'a list of rows' });
  // SQLite removes an unnamed database when it is closed.
  const database = new DatabaseSync('');
  database.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE notes (id ANY PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  );
  const add = database.prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT DO NOTHING');
  const find = database.prepare('SELECT number FROM notes WHERE id = ?');
  return {
    async add(notes) {
      database.exec('BEGIN');
      for (const [name, number] of notes) add.run(idOf(name), number);
      database.exec('COMMIT');
    },
    async find(names) {
      const found = new Map<string, number>();
      for (const name of names) {
        const note = find.get(idOf(name));
        if (note) found.set(name, Number(note.number));
      }
      return found;
    },
    close: () => database.close(),
  };
}

/** Returns the name, or a hash of a long name. */
function idOf(name: string): string | Buffer {
  return name.length <= maxLength ? name : hash('sha256', name, 'buffer').subarray(0, 16);
}
