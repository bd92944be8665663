import type { Measured } from '../results.ts';

/** How a run is made. */
export interface Settings {
  /** Few runs: shows that everything works, and no figures to quote. */
  quick: boolean;
  report(line: string): void;
}

/** One part of the benchmark. */
export interface Part {
  title: string;
  measure(settings: Settings): Promise<Measured>;
}
