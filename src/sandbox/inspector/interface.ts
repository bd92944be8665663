/** A sandbox in the page, in a worker, or behind a server. It needs the option `control`. */
export interface InspectedSandbox {
  /**
   * Responds to control requests, whose paths begin with `/__sandbox/`.
   *
   * @param request - request whose URL has the origin of the page
   * @returns the response of the sandbox
   */
  fetch(request: Request): Promise<Response>;
}

/** Addresses of pages that describe rules and choices. The inspector adds `#` and the ID. */
export interface InspectorLinks {
  /** Page of the rules, such as `https://docs.example.com/rules/`. */
  rules?: string | undefined;
  /** Page of the choices. */
  choices?: string | undefined;
}

/** Properties and methods of the element. */
export interface InspectorMembers {
  /** The sandbox to show, or `undefined`. */
  sandbox: InspectedSandbox | undefined;
  /**
   * Pages that describe rules and choices. Without an address, the inspector shows only their sentences.
   * @default {}
   */
  links: InspectorLinks;
  /**
   * Whether to follow the sandbox and show each change. The inspector pauses while the page is hidden, and after ten minutes
   * without a change, until the reader returns. If `false`, it refreshes after its own actions, by `refresh`, and when the
   * reader returns to the page.
   * @default false
   */
  live: boolean;
  /**
   * The place to show: `requests`, `records`, `scenarios`, `clock`, `faults`, `snapshots`, or a table such as `crm.deals`. The event
   * `placechange` follows each change by the reader.
   * @default 'requests'
   */
  place: string;
  /** Reads the sandbox again. It never rejects; the inspector shows errors. */
  refresh(): Promise<void>;
}

/** `HTMLElement`, or `object` in programs without browser types. */
type BrowserElement = typeof globalThis extends { HTMLElement: { prototype: infer Found } } ? Found : object;

/**
 * The element `<sandbox-inspector>`.
 *
 * Events: `placechange` after the reader goes to another place, and `unauthorized` if the sandbox needs a control token.
 *
 * It takes the colours of its page from the properties `--sandbox-background`, `--sandbox-surface`, `--sandbox-text`,
 * `--sandbox-muted`, `--sandbox-line`, `--sandbox-border`, `--sandbox-accent`, `--sandbox-good` and `--sandbox-bad`, the font of
 * code from `--sandbox-mono`, and light or dark from `color-scheme`.
 */
export type SandboxInspector = BrowserElement & InspectorMembers;
