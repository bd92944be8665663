import type { Sent } from 'carillon';

/** Sentences that explain the `sent` of an error. */
export const sentTexts: Readonly<Record<Sent, string>> = {
  no: 'the call was certainly not processed',
  maybe: 'the call may have been processed',
  yes: 'the service answered',
};
