import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../src/shared/message-of.ts';

const script = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const charset = /<meta charset="utf-8"\s*\/?>/i;
const policyName = /<meta http-equiv="content-security-policy"/i;

/**
 * Adds a Content-Security-Policy to each page of a built site, as a `<meta>` that works on any host. Pages load only files of
 * their own site, and run only inline scripts that the build has written. Pages that have a policy keep it.
 *
 * Astro's own option blocks Starlight's inline styles.
 *
 * @throws `Error` that names a page without a place for the policy
 */
export async function addPolicies(site: string): Promise<void> {
  const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html'));
  for (const file of files) {
    const page = await readFile(join(site, file), 'utf8');
    if (policyName.test(page)) continue;
    try {
      await writeFile(join(site, file), withPolicy(page));
    } catch (error) {
      throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** @throws `Error` if the page does not begin with its character set, which must precede the policy */
export function withPolicy(page: string): string {
  const before = page.search(charset);
  const firstScript = page.search(/<script\b/i);
  if (before === -1 || (firstScript !== -1 && firstScript < before)) {
    throw new Error('A page must have <meta charset="utf-8"> before its first script');
  }
  return page.replace(
    charset,
    (tag) => `${tag}<meta http-equiv="content-security-policy" content="${policyOf(page)}"/>`,
  );
}

function policyOf(page: string): string {
  const inline = Array.from(page.matchAll(script)).filter(([, attributes = '']) => !/\ssrc\s*=/i.test(attributes));
  const hashes = new Set(
    inline.map(([, , text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`),
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}
