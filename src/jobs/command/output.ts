/** Option of every command: prints JSON instead of text, one document per line. */
export interface OutputOptions {
  json?: true;
}

/** Prints a result: its text for people, or the value as JSON for programs. */
export function say({ json }: OutputOptions, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value) : text);
}

/** Prints a line for people only. With `--json`, the values contain this information. */
export function note({ json }: OutputOptions, text: string): void {
  if (!json) console.log(text);
}
