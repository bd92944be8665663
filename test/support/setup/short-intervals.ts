/** Lets workers of the tests' own processes look at their jobs more often, so that tests do not wait. Other processes have the usual intervals. */
import { intervals } from '../../../src/jobs/work/intervals.ts';
import { isNightly } from '../amounts.ts';

// The nightly run measures, which needs the usual ones.
if (!isNightly) Object.assign(intervals, { look: 50, idle: 100, life: 300 });
