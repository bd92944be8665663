import { tokenOperation } from '../../../generated/crm/operations.ts';
import { answerJson, listen } from '../../support/server.ts';

/** Life in seconds of the tokens of {@link startTokenApi}. */
export const lifetime = 1_000;

const { path: tokenPath } = tokenOperation;

export interface TokenApi {
  url: string;
  /** Issued tokens, oldest first. Its length is the number of token requests. */
  issued: string[];
  /** Number of calls answered with 401. */
  rejections(): number;
  /** Answers 401 to this token from now on. */
  reject(token: string | undefined): void;
  /** Ages the tokens by this many milliseconds. */
  advance(milliseconds: number): void;
  /** Holds token requests until this many have arrived, then answers them together. */
  gather(count: number): void;
  /** Leaves token requests unanswered from now on. */
  hang(): void;
}

/** A service that issues tokens to any client. It answers other calls if their bearer token lives and is not rejected. */
export async function startTokenApi(): Promise<TokenApi> {
  const issued: string[] = [];
  const expiry = new Map<string, number>();
  let waiting: (() => void)[] = [];
  let awaited = 1;
  let rejections = 0;
  let now = 0;

  const issue = (): { access_token: string; token_type: string; expires_in: number } => {
    const token = `token-${issued.length + 1}`;
    issued.push(token);
    expiry.set(token, now + lifetime * 1000);
    return { access_token: token, token_type: 'Bearer', expires_in: lifetime };
  };
  const { url } = await listen((request, response) => {
    if (request.url.endsWith(`${tokenPath}`)) {
      waiting.push(() => answerJson(response, issue()));
      if (waiting.length < awaited) return;
      for (const answer of waiting) answer();
      waiting = [];
      awaited = 1;
      return;
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (now < (expiry.get(token) ?? 0)) return answerJson(response, { data: { id: 501 } });
    rejections += 1;
    answerJson(response, { message: 'Unauthorized' }, 401);
  });
  return {
    url,
    issued,
    rejections: () => rejections,
    reject: (token = '') => expiry.delete(token),
    advance: (milliseconds) => {
      now += milliseconds;
    },
    gather: (count) => {
      awaited = count;
    },
    hang: () => {
      awaited = Number.POSITIVE_INFINITY;
    },
  };
}
