import { amounts } from '../../../support/amounts.ts';
import { testSequences } from './sequences.ts';

testSequences(amounts.modelSequences);
