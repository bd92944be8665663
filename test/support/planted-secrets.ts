import { createHash } from 'node:crypto';
import type { Seen } from './sandbox-traffic.ts';

/** 300 different keys, addresses and phone numbers, the same in every run. */
export const secrets: readonly string[] = Array.from({ length: 300 }, (_, index) => {
  const hash = createHash('sha256').update(`secret ${index}`).digest();
  const kinds = [
    () =>
      `sk_live_${hash
        .toString('base64url')
        .replace(/[^a-z\d]/gi, 'x')
        .slice(0, 24)}`,
    () => hash.toString('hex').slice(0, 32),
    () => `user.${hash.toString('hex').slice(0, 8)}@mail.example.com`,
    () => `+1555${String(hash.readUInt32BE() % 10_000_000).padStart(7, '0')}`,
    () => hash.toString('base64'),
    () => `eyJhbGciOiJIUzI1NiJ9.${hash.toString('base64url')}`,
  ];
  return kinds[index % kinds.length]?.() ?? '';
});

/**
 * Puts secrets into replies: as a value, the name of a field in one record and in many, Base64, and within a message. Failures get
 * them, too.
 */
export function plantSecrets(traffic: readonly Seen[]): { planted: number; traffic: Seen[] } {
  let planted = 0;
  let at = 0;
  const next = (): string => secrets[at++ % secrets.length] ?? '';
  const plant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plant);
    if (typeof value !== 'object' || value === null) {
      if (typeof value !== 'string') return value;
      planted += 1;
      return next();
    }
    const secret = next();
    planted += 4;
    return {
      ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plant(inner)])),
      [secret]: secret,
      [Buffer.from(secret).toString('base64')]: 1,
      message: `The key ${next()} of ${next()} is not valid`,
    };
  };
  const changed = traffic.flatMap((seen) => {
    // The same names in three replies and more.
    const before = at;
    const once = { ...seen, body: plant(seen.body) };
    return [0, 1, 2].map(() => {
      at = before;
      return { ...once, body: plant(seen.body) };
    });
  });
  const failures = secrets.map((secret, index) => ({
    operationId: traffic[index % traffic.length]?.operationId ?? '',
    status: 400 + (index % 5),
    body: { message: secret, [secret]: { [secret]: [secret] } },
  }));
  return { planted, traffic: [...changed, ...failures, ...failures, ...failures] };
}
