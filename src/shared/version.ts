import { existsSync, readFileSync } from 'node:fs';

/** Version of the package, whose manifest is in a folder above this module, wherever the build puts it. */
export function readVersion(): string {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('..', folder);
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const version: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : '';
  return String(version);
}
