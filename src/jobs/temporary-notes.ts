/// <reference types="node" />
import { hash } from 'node:crypto';
import { loadSqlite } from '../shared/sqlite-file.ts';
import type { SourceNotes } from './types.ts';

/** Notes on disk that end with this process, so that millions of them need no memory. */
export interface TemporaryNotes extends SourceNotes {
  close(): void;
}

/** Opens notes in a private temporary file. */
export async function openNotes(): Promise<TemporaryNotes> {
  const DatabaseSync = await loadSqlite({ what: 'a list of rows' });
  // SQLite removes a file without a name when it is closed.
  const database = new DatabaseSync('');
  database.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE notes (id BLOB PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  );
  const add = database.prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT DO NOTHING');
  const find = database.prepare('SELECT number FROM notes WHERE id = ?');
  return {
    async add(notes) {
      database.exec('BEGIN');
      for (const [text, number] of notes) add.run(idOf(text), number);
      database.exec('COMMIT');
    },
    async find(texts) {
      const found = new Map<string, number>();
      for (const text of texts) {
        const note = find.get(idOf(text));
        if (note) found.set(text, Number(note.number));
      }
      return found;
    },
    close: () => database.close(),
  };
}

/** A hash, because texts can be long. */
function idOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
