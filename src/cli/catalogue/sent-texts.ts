import type { Sent } from 'carillon';

/** What `sent` of a failure means. */
export const sentTexts: Readonly<Record<Sent, string>> = {
  no: 'the call was certainly not processed',
  maybe: 'the call may have been processed',
  yes: 'the service answered',
};
