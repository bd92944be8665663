import type { Control } from './control.ts';
import type { InspectorLinks } from './index.ts';

/** One part of the inspector, under a tab of its own. */
export interface Panel {
  /** Name of its tab. */
  title: string;
  content: HTMLElement;
  /** Reads what it shows. Returns how many there are, or which one is active, for the tab. */
  refresh(): Promise<number | string | undefined>;
}

/** What a panel needs of the inspector around it. */
export interface Surroundings {
  control: Control;
  links: InspectorLinks;
  /** Whether the inspector follows the sandbox. */
  isLive: boolean;
  /** Runs an action of the reader, reads the sandbox again and says what has happened, or what went wrong. */
  act(action: () => Promise<string>): void;
  /** Reads the sandbox again. */
  refresh(): void;
  /** Shows a table or a record. */
  go(place: string): void;
}
