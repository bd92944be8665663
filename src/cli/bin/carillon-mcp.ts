#!/usr/bin/env node
import { runMcp } from '../mcp/command.ts';

process.exitCode = await runMcp('carillon-mcp', process.argv.slice(2));
