/** Ids of the bar's parts: the build writes them, and the page's script finds them. */
export const barIds = {
  status: 'sandbox-status',
  time: 'sandbox-time',
  clock: 'sandbox-clock',
  reset: 'sandbox-reset',
  requests: 'sandbox-requests',
  count: 'sandbox-count',
  list: 'sandbox-list',
} as const;

/** The page on rules and choices, each with its id as anchor. */
export const rulesFile = 'rules.html';

/** Where Scalar stands. */
export const consoleId = 'console';
/** Where the build leaves what the page must know. */
export const dataId = 'try-data';
