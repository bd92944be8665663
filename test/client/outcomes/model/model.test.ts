import { testSequences } from './sequences.ts';

testSequences(400, 1);
