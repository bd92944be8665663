import * as z from 'zod';
import { allRoutes } from '../rules/routes.ts';

/** Parts of names that say that a value is secret, such as in `clientSecret`. */
export const secretParts = ['secret', 'token', 'passw', 'pwd', 'cookie', 'credential', 'authoriz'] as const;

/** Words that say so, as a whole name or as one of its words: `x-api-key` and `userPin`, but not `keyword` and `spin`. */
export const secretWords = [
  'key',
  'apikey',
  'accesskey',
  'privatekey',
  'auth',
  'oauth',
  'pass',
  'passphrase',
  'pin',
  'otp',
  'jwt',
  'session',
  'sessionid',
  'sid',
  'signature',
] as const;

/** Whether the value of a header, a parameter or a field is secret by its name. A field that the specs document is not. */
export function isSecretName(name: string): boolean {
  documented ??= documentedNames();
  if (documented.has(name)) return false;
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return parts.test(words) || words.split(/[^a-z]+/).some((word) => wholeWords.has(word));
}

const parts = new RegExp(secretParts.join('|'));
const wholeWords: ReadonlySet<string> = new Set(secretWords);

let documented: ReadonlySet<string> | undefined;

/** Names of the fields and parameters of all operations that take a credential. The others carry secrets themselves. */
function documentedNames(): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  for (const { anonymous, query, body, reply } of allRoutes)
    if (!anonymous) for (const schema of [query, body, reply]) collect(schema, names, seen);
  return names;
}

function collect(schema: unknown, names: Set<string>, seen: Set<unknown>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) collect(schema.unwrap(), names, seen);
  else if (schema instanceof z.ZodArray) collect(schema.element, names, seen);
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) collect(option, names, seen);
  else if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) {
      names.add(name);
      collect(field, names, seen);
    }
}
