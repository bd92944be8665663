import type { Results } from '../../scripts/bench/results.ts';
import { buildTable } from '../../scripts/bench/table.ts';

/** Made-up results of a run. */
export const results: Results = {
  calls: {
    title: 'Cost of a call',
    date: '2026-11-21',
    machine: { processor: 'Example CPU', cores: 2, memoryGigabytes: 8, system: 'Linux x64', node: '24.0.0' },
    versions: { ky: '2.1.0' },
    tables: [
      buildTable(
        'A response of 300 bytes',
        ['raw fetch', 'ky <2>', 'prism', 'carillon by method'],
        [
          {
            title: 'one at a time',
            unit: 'µs',
            better: 'lower',
            baseline: 'raw fetch',
            chart: 'call-loopback-deal',
            samples: {
              'raw fetch': [100, 100, 110, 100, 100, 105, 100],
              'ky <2>': [250, 200, 300, 250, 250, 225, 275],
              'carillon by method': [102, 101, 112, 103, 99, 107, 101],
            },
            leftOut: { prism: 'is no client' },
          },
        ],
      ),
    ],
  },
};
