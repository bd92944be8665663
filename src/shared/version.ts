import { existsSync, readFileSync } from 'node:fs';

/** Reads the version from the package's manifest, in the nearest parent folder that has one. */
export function readVersion(): string {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('..', folder);
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : '';
  return String(version);
}
