import { type Method, methods } from './methods.ts';

/** Returns the method that reads what a path names. */
export function readerOf(path: string): Method | undefined {
  return methods.find((method) => method.method === 'GET' && method.path === path && method.returns !== 'nothing');
}

/** Returns the method that reads the record that a method updates. */
export function recordReader({ method, path }: Method): Method | undefined {
  return method === 'PUT' && path.endsWith('}') ? readerOf(path) : undefined;
}
