import type { Control } from './control.ts';
import type { InspectorLinks } from './interface.ts';

/** The content of one tab. */
export interface Panel {
  /** Name of its tab. */
  title: string;
  content: HTMLElement;
  /**
   * Reads the content, and returns a function that shows it. That function returns the number of entries, or the name of the active
   * one, for the tab.
   */
  read(): Promise<() => number | string | undefined>;
}

/** Members of the inspector that its panels use. */
export interface Surroundings {
  control: Control;
  links: InspectorLinks;
  /** Whether the inspector follows the sandbox. */
  isLive: boolean;
  /** Runs an action of the reader, refreshes, and shows its result or error. */
  act(action: () => Promise<string>): void;
  /** Reads the sandbox again. */
  refresh(): void;
  /** Shows a table. */
  go(place: string): void;
}
