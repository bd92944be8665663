/** Ids of the bar's elements, shared by the build and the page's script. */
export const barIds = {
  status: 'sandbox-status',
  time: 'sandbox-time',
  clock: 'sandbox-clock',
  reset: 'sandbox-reset',
  requests: 'sandbox-requests',
  count: 'sandbox-count',
  inside: 'sandbox-inside',
} as const;

/** The page of rules and choices. The anchor of each is its id. */
export const rulesFile = 'rules.html';

/** Element that contains Scalar. */
export const consoleId = 'console';
/** Element with the data that the build passes to the page. */
export const dataId = 'try-data';
