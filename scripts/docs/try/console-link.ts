/** The page with the console. */
export const consoleFile = 'try.html';

/** Names in the address of the console. All other names are those of parameters of the operation. */
export const linkKeys = { operation: 'operation', example: 'example', body: 'body' } as const;

/** A request that a link fills in. */
export interface LinkedRequest {
  /** Name of one of the operation's request examples. @default the first */
  example?: string;
  /** Body, in place of an example. */
  body?: unknown;
  /** Values of path and query parameters, by name. @default their examples */
  parameters?: Readonly<Record<string, string | number>>;
}

/**
 * Returns the link that opens the console at an operation, with a request that is ready to send:
 * `try.html?operation=createDeal`.
 */
export function consoleLink(operationId: string, { example, body, parameters = {} }: LinkedRequest = {}): string {
  const query = new URLSearchParams({ [linkKeys.operation]: operationId });
  if (example !== undefined) query.set(linkKeys.example, example);
  if (body !== undefined) query.set(linkKeys.body, JSON.stringify(body));
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  return `${consoleFile}?${query}`;
}
