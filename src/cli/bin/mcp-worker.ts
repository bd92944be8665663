import { runProgram } from '../mcp/run/worker.ts';

await runProgram();
