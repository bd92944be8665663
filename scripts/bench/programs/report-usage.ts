/**
 * Loaded before a program (`--import`): at its end, writes to descriptor 3 what the process needed. With `--expose-gc`, it
 * collects often and adds the most that was in use right after a collection.
 */
import { writeSync } from 'node:fs';
import type { Usage } from './run-program.ts';

const milliseconds = 50;
const { gc } = globalThis;
let liveBytes = 0;
if (gc) {
  setInterval(() => {
    gc();
    liveBytes = Math.max(liveBytes, process.memoryUsage().heapUsed);
  }, milliseconds).unref();
}

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage: Usage = { processorSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024, liveBytes };
  writeSync(3, JSON.stringify(usage));
});
