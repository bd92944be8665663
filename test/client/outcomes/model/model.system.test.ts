import { testSequences } from './sequences.ts';

testSequences(Number(process.env.MODEL_SEQUENCES ?? 1_600), 2);
