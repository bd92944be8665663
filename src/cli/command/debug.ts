import type { Middleware } from 'carillon';
import { replaceInvisible } from '../text/invisible.ts';
import type { Io } from './io.ts';

/**
 * Writes each request and each response to standard error. The client removes credentials first.
 *
 * @param hasBodies - whether to write bodies as well
 */
export function createDebug(io: Io, hasBodies: boolean): Middleware {
  const note = (lines: readonly string[]): void => io.note(lines.map((line) => `${replaceInvisible(line)}\n`).join(''));
  const head = (sign: string, headers: Readonly<Record<string, string>>, body: string | undefined): string[] => [
    ...Object.entries(headers).map(([name, value]) => `${sign} ${name}: ${value}`),
    ...(!hasBodies || body === undefined || body === '' ? [] : body.split('\n').map((line) => `${sign} ${line}`)),
  ];
  return {
    onRequest({ operation, operationId, url, attempt, headers, body }) {
      const [method = ''] = operation.split(' ');
      const times = attempt === 1 ? '' : `, attempt ${attempt}`;
      note([`> ${method} ${url} (${operationId}${times})`, ...head('>', Object.fromEntries(headers), body)]);
    },
    onResponse(_, { status, headers, duration, body }) {
      note([`< ${status} in ${Math.round(duration)} ms`, ...head('<', headers, body)]);
    },
    onError(_, error) {
      note([`! ${error.name}: ${error.message}`]);
    },
  };
}
