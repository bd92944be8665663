import { type Method, methods } from './methods.ts';

/** Returns the method that reads what a path names. */
export function readerOf(path: string): Method | undefined {
  return methods.find((method) => method.method === 'GET' && method.path === path && method.returns !== 'nothing');
}
