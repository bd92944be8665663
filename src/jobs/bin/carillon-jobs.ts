#!/usr/bin/env node
import { runJobs } from '../command/command.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output, such as `head`, has closed the pipe. Running the same command again continues the job.
  if (error.code === 'EPIPE') process.exit(1);
  throw error;
});

process.exitCode = await runJobs('carillon-jobs', process.argv.slice(2));
