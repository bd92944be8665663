/** The application of the guide on TanStack Query, bundled for a browser. */
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { expect } from 'vitest';
import { z } from 'zod';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { packageEntries } from '../../support/package-entries.ts';
import { readSnippets } from '../../support/snippets.ts';

const guide = readSnippets('docs/guides/tanstack-query.md').map(({ code }) => code);
/** The script of MSW's service worker. */
export const worker = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));

/** A code block of the guide. */
function block(text: string): string {
  return guide.find((code) => code.includes(text)) ?? expect.fail(`The guide has no block with ${text}`);
}

export interface DevProxy {
  rewrite(path: string): string;
  headers: Record<string, string>;
}

/** The proxy for `/api` in the guide's Vite configuration. */
export async function readProxy(): Promise<DevProxy> {
  const { code } = await transform(block('server: {'), { loader: 'ts' });
  const module: unknown = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  const rewrite = z.custom<DevProxy['rewrite']>((value) => typeof value === 'function');
  const proxy = z.object({ rewrite, headers: z.record(z.string(), z.string()) });
  return z.object({ default: z.object({ server: z.object({ proxy: z.object({ '/api': proxy }) }) }) }).parse(module)
    .default.server.proxy['/api'];
}

/** The HTML page of the application. */
export const html = `<!doctype html><html lang="en"><title>Deals</title><link rel="icon" href="data:,"><div id="root"></div>
<script type="module" src="/app.js"></script>`;

/**
 * The guide's application, with the sources instead of the package.
 *
 * @param imports - the parts of the guide to run, in order: `app`, `sandbox`
 */
export async function bundleGuide(imports: string): Promise<string> {
  const parts = new Map([
    ['app', block('createRoot')],
    ['sandbox', block('setupWorker')],
  ]);
  const entries = new Map(packageEntries().map(({ name, file }) => [name, file]));
  const { outputFiles } = await build({
    stdin: { contents: imports, resolveDir: repositoryRoot },
    jsx: 'automatic',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'sources',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^carillon/ }, ({ path }) => ({ path: entries.get(path) ?? '' }));
          onResolve({ filter: /^(?:app|sandbox)$/ }, ({ path }) => ({ path, namespace: 'guide' }));
          onLoad({ filter: /^/, namespace: 'guide' }, ({ path }) => ({
            contents: parts.get(path) ?? '',
            resolveDir: repositoryRoot,
            loader: 'tsx',
          }));
        },
      },
    ],
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild gives no bundle of the application');
  return output.text;
}
