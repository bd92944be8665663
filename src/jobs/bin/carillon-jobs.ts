#!/usr/bin/env node
import { runJobs } from '../command/command.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the output, such as `head`, has ended. A job continues with the same command.
  if (error.code === 'EPIPE') process.exit(1);
  throw error;
});

process.exitCode = await runJobs('carillon-jobs', process.argv.slice(2));
