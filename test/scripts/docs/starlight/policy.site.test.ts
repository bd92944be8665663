import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPolicies, withPolicy } from '../../../../scripts/docs/starlight/policy.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const page = (body: string): string =>
  `<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body>${body}</body></html>`;

/** The directives of a page's policy by name. */
function directivesOf(html: string): Map<string, string> {
  const [, policy = ''] = /<meta http-equiv="content-security-policy" content="([^"]*)"\/>/.exec(html) ?? [];
  return new Map(
    policy.split('; ').map((directive): [string, string] => [directive.split(' ', 1)[0] ?? '', directive]),
  );
}

describe('the policy of a page', () => {
  it('allows each inline script by its hash, with any attributes, and no others', () => {
    const html = withPolicy(
      page(`<script>one()</script>
<script type="module">two();
three()</script><script type="module" src="/_astro/x.js"></script><script>one()</script>`),
    );
    expect(directivesOf(html).get('script-src')).toBe(
      `script-src 'self' ${hashOf('one()')} ${hashOf('two();\nthree()')}`,
    );
  });

  it('hashes characters as UTF-8', () => {
    expect(withPolicy(page('<script>say("→")</script>'))).toContain(hashOf('say("→")'));
  });

  it('precedes every script, and leaves the rest of the page unchanged', () => {
    const before = page('<script>$&</script>');
    const after = withPolicy(before);
    expect(after.indexOf('content-security-policy')).toBeLessThan(after.indexOf('<script'));
    expect(after.replace(/<meta http-equiv[^>]*>/, '')).toBe(before);
  });

  it.each(['<html><head></head></html>', '<html><head><script>1</script><meta charset="utf-8"></head></html>'])(
    'is an error if there is no place for it: %s',
    (html) => expect(() => withPolicy(html)).toThrow('<meta charset="utf-8"> before its first script'),
  );
});

describe('the policies of a site', () => {
  let site: string;
  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'carillon-policy-'));
    await mkdir(join(site, 'crm'));
    await mkdir(join(site, 'redoc'));
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  it('are in the pages of every folder, once, except in pages with their own policy', async () => {
    const own = page('<script>1</script>').replace(
      '</head>',
      '<meta http-equiv="Content-Security-Policy" content="x"></head>',
    );
    await writeFile(join(site, 'crm', 'index.html'), page('<script>1</script>'));
    await writeFile(join(site, 'redoc', 'crm.html'), own);
    await writeFile(join(site, 'llms.txt'), '<script>1</script>');
    await addPolicies(site);
    const added = await readFile(join(site, 'crm', 'index.html'), 'utf8');
    expect(directivesOf(added).get('default-src')).toBe("default-src 'self'");
    await addPolicies(site);
    expect(await readFile(join(site, 'crm', 'index.html'), 'utf8')).toBe(added);
    expect(await readFile(join(site, 'redoc', 'crm.html'), 'utf8')).toBe(own);
    expect(await readFile(join(site, 'llms.txt'), 'utf8')).toBe('<script>1</script>');
  });

  it('fail with the name of a page that has no place for a policy', async () => {
    await writeFile(join(site, 'crm', 'index.html'), '<html></html>');
    await expect(addPolicies(site)).rejects.toThrow(/^crm\/index\.html: /);
  });
});
