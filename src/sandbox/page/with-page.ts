import { createHash } from 'node:crypto';
import type { FetchHandler, PlainHandler } from '../../shared/server/handler.ts';
import { createAccess } from '../control/access.ts';
import { type PlainRequest, type PlainResponse, readRequest, toResponse } from '../http/request-and-response.ts';
import type { ControlOptions, Sandbox } from '../index.ts';
import type { InspectorLinks } from '../inspector/index.ts';
import { type PageSources, readSources } from './sources.ts';

/** Options of the page. */
export interface PageOptions {
  /** The `control` option of the sandbox. The same access rules apply to the page and to control requests. */
  control: boolean | ControlOptions;
  /** URLs of pages that describe rules and choices. */
  links?: InspectorLinks;
}

/** Serves the page at `/`, and the sandbox at all other paths. If `control` is `false`, no page is served. */
export function withPage(sandbox: Sandbox, { control, links = {} }: PageOptions): PlainHandler & FetchHandler {
  if (!control) return sandbox;
  const access = createAccess(control === true ? {} : control);
  let page: Promise<PlainResponse> | undefined;
  async function show(request: PlainRequest): Promise<PlainResponse> {
    // A browser cannot send a token when opening a URL. The page itself contains no data, and asks for the token.
    const { rejection } = access(request, true);
    page ??= readSources().then((sources) => createPage(sources, links));
    const response = rejection ?? (await page);
    return request.method === 'HEAD' ? { ...response, text: null } : response;
  }
  const respond = (request: PlainRequest): Promise<PlainResponse> => {
    const { method, url } = request;
    const isPage = url.pathname === '/' && (method === 'GET' || method === 'HEAD');
    return isPage ? show(request) : sandbox.respond(request);
  };
  return { respond, fetch: async (request) => toResponse(await respond(await readRequest(request))) };
}

function createPage({ markup, styles, script }: PageSources, links: InspectorLinks): PlainResponse {
  const text = [
    ['<style>', styles],
    ['<script type="application/json" id="links">', JSON.stringify(links).replaceAll('<', '\\u003c')],
    ['<script>', script],
  ].reduce((page, [tag = '', content = '']) => page.replace(tag, () => tag + content), markup);
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(styles)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    text,
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
