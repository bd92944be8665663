import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The marks of Next.js on warnings and errors, and words of the packages below it. */
const complaint = /⚠|⨯|warn|error|deprecat/i;
/** Much more than the slowest command needs on a busy machine, in milliseconds. */
const patience = 120_000;
const gracePeriod = 5_000;

/** A command of Next.js in an installed app. */
export class NextProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  #errors = '';

  /** @param environment - variables of the app */
  constructor(folder: string, args: string[], environment: Record<string, string> = {}) {
    const { PATH = '' } = process.env;
    const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
    this.#child = spawn(process.execPath, [next, ...args], {
      cwd: folder,
      // No other variable of this process: with `CI`, Next.js warns that it has no cache of an earlier build. Its settings go into
      // the folder.
      env: { PATH, HOME: folder, NEXT_TELEMETRY_DISABLED: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.#ended = once(this.#child, 'close');
  }

  /** Everything that it has printed. */
  get printed(): string {
    return `${this.#output}${this.#errors}`.trim();
  }

  /** Waits until it ends by itself. */
  async end(): Promise<void> {
    await this.#ended;
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0) throw new Error(`ended with ${exitCode ?? signalCode}\n${this.printed}`);
    this.checkOutput();
  }

  /** Waits until it serves the app, and returns where. */
  async url(): Promise<string> {
    for (;;) {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(this.#output) ?? [];
      if (url) return url;
      const { stdout } = this.#child;
      const news = stdout && once(stdout, 'data');
      const isOver = await Promise.race([news?.then(() => false), this.#ended.then(() => true)]);
      if (isOver) throw new Error(`does not serve the app\n${this.printed}`);
    }
  }

  /** Stops it: as Ctrl+C does, and by force if it does not end. */
  async stop(): Promise<void> {
    this.#child.kill('SIGINT');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), gracePeriod);
    await this.#ended;
    clearTimeout(force);
  }

  /** Fails if it has warned of anything. */
  checkOutput(): void {
    if (this.#errors.trim() !== '' || complaint.test(this.#output)) throw new Error(`warns:\n${this.printed}`);
  }
}
