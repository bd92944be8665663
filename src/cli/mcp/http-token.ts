import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { dirname, join } from 'node:path';
import { credentialsFile } from '../../shared/credentials.ts';
import { CredentialsError, readPrivately, writePrivately } from '../../shared/private-file.ts';

/** Shorter ones can be guessed. */
const shortest = 16;

/** Where the token is, unless the person names another file: beside the credentials. */
export function tokenFile(env?: Readonly<Record<string, string | undefined>>): string {
  return join(dirname(credentialsFile(env)), 'mcp-token');
}

/**
 * Reads the token that clients send over HTTP. Without a file, it writes one with a random token, so that a restart needs no
 * change in the clients.
 *
 * @throws `CredentialsError` if others can read the file, or its token can be guessed
 */
export function readToken(file: string): string {
  const found = readPrivately(file);
  if (found === undefined) {
    const created = randomBytes(32).toString('base64url');
    writePrivately(file, `${created}\n`);
    return created;
  }
  const token = found.trim();
  if (token.length < shortest || /\s/.test(token))
    throw new CredentialsError(`${file} has no token of at least ${shortest} characters. Delete it to get a new one.`);
  return token;
}

/** Whether a request has the token. The time that it takes does not depend on how much of a wrong one is right. */
export function hasToken({ headers }: Request, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
