import type { Sent } from 'carillon';

const sentTexts: Readonly<Record<Sent, string>> = {
  no: 'the call was certainly not processed',
  maybe: 'the call may have been processed',
  yes: 'the service responded',
};

/** Writes a failure: what happened, whether the call was processed, and the next step. */
export function failureLines(message: string, sent: Sent | undefined, next: string | undefined): string {
  return [message, sent && `sent: ${sent} (${sentTexts[sent]})`, next && `next: ${next}`].filter(Boolean).join('\n');
}
