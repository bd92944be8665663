import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError } from '../../../shared/command-line.ts';

/** Maximum size of a file that a cell names, in bytes. */
export const maxFileBytes = 16 * 1024 * 1024;

/** The folder of the files that cells name. No cell leads out of it. */
export class FilesFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reads a file of the folder.
   *
   * @param column - the column of the cell, for messages
   * @param path - the path in the folder
   * @throws `UsageError` if the path or a link leads out of the folder, or if it is not a file or too large
   */
  async read(column: string, path: string): Promise<Uint8Array> {
    const refuse = (reason: string): UsageError => new UsageError(`${column}: ${path} ${reason}.`);
    const outside = refuse(`is not in the folder ${this.#folder}`);
    if (isAbsolute(path) || !isInside(this.#folder, resolve(this.#folder, path))) throw outside;
    const folder = await realpath(this.#folder).catch(() => {
      throw new UsageError(`--files-from: there is no folder ${this.#folder}.`);
    });
    const found = await realpath(join(folder, path)).catch(() => {
      throw refuse(`does not exist in the folder ${this.#folder}`);
    });
    if (!isInside(folder, found)) throw outside;
    // A link that replaced the file meanwhile is refused, and a named pipe does not block.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const file = await open(found, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
      throw refuse('cannot be read');
    });
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw refuse('is not a file');
      if (stats.size > maxFileBytes) throw refuse(`is larger than ${maxFileBytes / 1024 / 1024} MiB`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path);
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}
