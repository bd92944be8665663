import type { Control } from './control.ts';
import type { InspectorLinks } from './interface.ts';

/** The content of one tab. */
export interface Panel {
  /** Title of the tab. */
  title: string;
  content: HTMLElement;
  /**
   * Reads the content. The returned function shows the content, and returns the text beside the title of the tab: the number
   * of items, or the name of the active item.
   */
  read(): Promise<() => number | string | undefined>;
}

/** Members of the inspector that its panels use. */
export interface PanelHost {
  control: Control;
  links: InspectorLinks;
  /** Whether the inspector follows the sandbox. */
  isLive: boolean;
  /** Runs an action that the reader chose, refreshes the view, and shows the result or the error of the action. */
  act(action: () => Promise<string>): void;
  /** Reads the sandbox again. */
  refresh(): void;
  /** Shows a panel or a table. */
  go(place: string): void;
}
