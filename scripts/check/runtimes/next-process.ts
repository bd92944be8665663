import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Marks that Next.js prints before warnings and errors, and words that the packages below it use. */
const complaint = /⚠|⨯|warn|error|deprecat/i;
/** In milliseconds. Far longer than the slowest command takes on a busy machine. */
const deadline = 120_000;
const gracePeriod = 5_000;

/** A running Next.js command in an installed app. */
export class NextProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  #errors = '';

  /** @param environment - environment variables of the app */
  constructor(folder: string, args: string[], environment: Record<string, string> = {}) {
    const { PATH = '' } = process.env;
    const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
    this.#child = spawn(process.execPath, [next, ...args], {
      cwd: folder,
      // Passes no other variables: with `CI`, Next.js warns about a missing build cache. `HOME` keeps its settings in the
      // folder.
      env: { PATH, HOME: folder, NEXT_TELEMETRY_DISABLED: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: deadline,
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

  /** All output so far. */
  get printed(): string {
    return `${this.#output}${this.#errors}`.trim();
  }

  /** Waits until the command exits. */
  async end(): Promise<void> {
    await this.#ended;
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== 0) throw new Error(`ended with ${exitCode ?? signalCode}\n${this.printed}`);
    this.checkOutput();
  }

  /** Waits until it serves the app. Resolves to the URL. */
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

  /** Stops it with SIGINT, and kills it if it does not exit. */
  async stop(): Promise<void> {
    this.#child.kill('SIGINT');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), gracePeriod);
    await this.#ended;
    clearTimeout(force);
  }

  /** Throws if the output contains a warning or an error. */
  checkOutput(): void {
    if (this.#errors.trim() !== '' || complaint.test(this.#output)) throw new Error(`warns:\n${this.printed}`);
  }
}
