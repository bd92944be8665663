import { close, fdatasync, open, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

const [openFile, closeFile, sync] = [promisify(open), promisify(close), promisify(fdatasync)];

interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * A file that only grows. Texts that arrive together are written together, and so are those that arrive while the disk is
 * busy. The write itself is synchronous: it copies the text to the operating system, which a thread would only delay.
 */
export class AppendFile {
  readonly #descriptor: number;
  readonly #isSynced: boolean;
  #texts: string[] = [];
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #failure: { reason: unknown } | undefined;

  private constructor(descriptor: number, isSynced: boolean) {
    this.#descriptor = descriptor;
    this.#isSynced = isSynced;
  }

  /** @param isSynced - whether `append` also waits until the disk has the text */
  static async open(file: string, isSynced: boolean): Promise<AppendFile> {
    return new AppendFile(await openFile(file, 'a'), isSynced);
  }

  /** Resolves once the operating system has the text, so that it survives the end of this process. */
  append(text: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.reason);
    return new Promise((resolve, reject) => {
      this.#texts.push(text);
      this.#waiting.push({ resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    await this.#running;
    await closeFile(this.#descriptor);
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Other requests that have arrived come first, so that their texts join this write.
      await nextTurn();
      const [texts, waiting] = [this.#texts, this.#waiting];
      [this.#texts, this.#waiting] = [[], []];
      try {
        if (this.#failure) throw this.#failure.reason;
        this.#write(Buffer.from(texts.join('')));
        if (this.#isSynced) await sync(this.#descriptor);
        for (const { resolve } of waiting) resolve();
      } catch (reason) {
        // The file may now end in the middle of a line. Nothing must follow it.
        this.#failure ??= { reason };
        for (const { reject } of waiting) reject(reason);
      }
    }
    this.#running = undefined;
  }

  #write(bytes: Buffer): void {
    for (let start = 0; start < bytes.length; ) start += writeSync(this.#descriptor, bytes, start);
  }
}
