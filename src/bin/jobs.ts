#!/usr/bin/env node
import { runJobs } from './jobs/command.ts';

process.exitCode = await runJobs('carillon-jobs', process.argv.slice(2));
