import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { dirname, join } from 'node:path';
import { credentialsFile } from '../../shared/credentials.ts';
import { CredentialsError, readPrivately, writePrivately } from '../../shared/private-file.ts';

/** Minimum length of a token. Shorter tokens can be guessed. */
const minTokenLength = 16;

/** Returns the default path of the token file, beside the credentials file. */
export function tokenFile(env?: Readonly<Record<string, string | undefined>>): string {
  return join(dirname(credentialsFile(env)), 'mcp-token');
}

/**
 * Reads the token that clients send over HTTP. If the file does not exist, creates it with a random token, so that clients
 * can use the same token after a restart.
 *
 * @throws `CredentialsError` if other users can read the file, or if the token is too short
 */
export function readToken(file: string): string {
  const found = readPrivately(file);
  if (found === undefined) {
    const created = randomBytes(32).toString('base64url');
    writePrivately(file, `${created}\n`);
    return created;
  }
  const token = found.trim();
  if (token.length < minTokenLength || /\s/.test(token))
    throw new CredentialsError(
      `${file} has no token of at least ${minTokenLength} characters. Delete the file to get a new token.`,
    );
  return token;
}

/** Whether a request contains the token. The comparison takes constant time. */
export function hasToken({ headers }: Request, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
