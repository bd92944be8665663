import { createHash } from 'node:crypto';
import type { FetchHandler, PlainHandler } from '../../shared/server/handler.ts';
import { createAccess } from '../control-access.ts';
import { type PlainReply, type PlainRequest, readRequest, toResponse } from '../http.ts';
import type { ControlOptions, Sandbox } from '../index.ts';
import { fillPage } from './fill-page.ts';
import { type PageSources, readSources } from './sources.ts';

/** Options of the page. */
export interface PageOptions {
  /** The sandbox's own option: the page has the same conditions as control. */
  control: boolean | ControlOptions;
  /** URL of the docs, without a trailing slash, to which the page links rules and choices. */
  docs?: string;
}

/** Serves the page at `/`, and the sandbox at all other paths. Without control, there is no page. */
export function withPage(sandbox: Sandbox, { control, docs }: PageOptions): PlainHandler & FetchHandler {
  if (!control) return sandbox;
  const options = control === true ? {} : control;
  const access = createAccess(options);
  let page: Promise<PlainReply> | undefined;
  async function show(request: PlainRequest): Promise<PlainReply> {
    const { refusal } = access(withToken(request, options.token), false);
    page ??= readSources().then((sources) => createPage(sources, docs));
    const reply = refusal ?? (await page);
    return request.method === 'HEAD' ? { ...reply, text: null } : reply;
  }
  const respond = (request: PlainRequest): Promise<PlainReply> => {
    const { method, url } = request;
    const isPage = url.pathname === '/' && (method === 'GET' || method === 'HEAD');
    return isPage ? show(request) : sandbox.respond(request);
  };
  return { respond, fetch: async (request) => toResponse(await respond(await readRequest(request))) };
}

/** The page itself has no data, and a browser cannot send a token with an address: the page asks for it. */
function withToken({ method, url, headers, text, signal }: PlainRequest, token: string | undefined): PlainRequest {
  const given = new Headers();
  headers.forEach((value, name) => {
    given.set(name, value);
  });
  if (token !== undefined) given.set('authorization', `Bearer ${token}`);
  return { method, url, headers: given, text, signal };
}

function createPage(sources: PageSources, docs: string | undefined): PlainReply {
  const { styles, script } = sources;
  const text = fillPage(sources, docs);
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
