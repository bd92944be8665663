/** Lets workers of the tests' own processes look at their jobs more often, so that tests do not wait. Other processes have the usual intervals. */
import { intervals } from '../../../src/jobs/work/intervals.ts';

// Measurements need the usual ones.
const isMeasuring = ['SPEED_ROWS', 'CHAOS_ROWS', 'MEMORY_ROWS'].some((name) => process.env[name] !== undefined);
if (!isMeasuring) Object.assign(intervals, { look: 50, idle: 100, life: 300, others: 500, back: 300 });
