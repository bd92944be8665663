/** A sandbox in the page, in a worker, or behind a server. The sandbox must have the option `control`. */
export interface InspectedSandbox {
  /**
   * Responds to control requests, whose paths begin with `/__sandbox/`.
   *
   * @param request - request whose URL has the origin of the page
   * @returns the response of the sandbox
   */
  fetch(request: Request): Promise<Response>;
}

/** URLs of pages that describe rules and choices. The inspector appends `#` and the ID. */
export interface InspectorLinks {
  /** URL of the page about rules, such as `https://docs.example.com/rules/`. */
  rules?: string | undefined;
  /** URL of the page about choices. */
  choices?: string | undefined;
}

/** Properties and methods of the element. */
export interface InspectorMembers {
  /** The sandbox to show, or `undefined`. */
  sandbox: InspectedSandbox | undefined;
  /**
   * URLs of pages that describe rules and choices. If a URL is omitted, the inspector shows only the sentence that states the
   * rule or choice.
   * @default {}
   */
  links: InspectorLinks;
  /**
   * Whether to follow the sandbox and show each change. The inspector pauses while the page is hidden, until the reader
   * returns. If `false`, the inspector refreshes after its own actions, when `refresh` is called, and when the reader returns
   * to the page.
   * @default false
   */
  live: boolean;
  /**
   * The place to show: `requests`, `records`, `scenarios`, `clock`, `faults`, `snapshots`, or a table such as `crm.deals`. The
   * event `placechange` is dispatched after the reader changes the place.
   * @default 'requests'
   */
  place: string;
  /** Reads the sandbox again. The promise never rejects; the inspector shows errors. */
  refresh(): Promise<void>;
}

/** `HTMLElement`, or `object` in programs without browser types. */
type BrowserElement = typeof globalThis extends { HTMLElement: { prototype: infer Found } } ? Found : object;

/**
 * The element `<sandbox-inspector>`.
 *
 * Events: `placechange` after the reader goes to another place, and `unauthorized` if the sandbox requires a control token.
 *
 * The page sets the colours of the inspector with the CSS properties `--sandbox-background`, `--sandbox-surface`,
 * `--sandbox-text`, `--sandbox-muted`, `--sandbox-line`, `--sandbox-border`, `--sandbox-accent`, `--sandbox-good` and
 * `--sandbox-bad`, the font for code with `--sandbox-mono`, and light or dark mode with `color-scheme`.
 */
export type SandboxInspector = BrowserElement & InspectorMembers;
