import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout } from '../checkout.ts';
import { runCommand } from '../run-peer.ts';
import { buildTable } from '../table.ts';
import { readVersions } from '../versions.ts';
import type { Part } from './part.ts';

const note = `In a copy of this checkout. Cold: the first time, for the install with nothing in the cache of npm. Warm: again, for the install with everything in the cache.`;

export const stepTimes: Part = {
  title: 'Steps of the project',
  async measure({ quick, report }) {
    const { folder, cache, remove } = copyCheckout();
    /** Seconds that npm takes for a command, once for each turn. */
    const time = async (command: string, turns: number): Promise<number[]> => {
      const seconds: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        // npm would first delete what is installed, which takes longer than to install it.
        if (command === 'ci') rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
        const started = performance.now();
        await runCommand('npm', [...command.split(' '), ...(quick ? [] : ['--cache', cache])], folder);
        seconds.push((performance.now() - started) / 1_000);
      }
      return seconds;
    };
    const cold: Record<string, number[]> = {};
    const warm: Record<string, number[]> = {};
    try {
      for (const command of ['ci', 'run generate', 'run lint', 'run docs']) {
        report(`npm ${command} …`);
        if (!quick) cold[`npm ${command}`] = await time(command, 1);
        warm[`npm ${command}`] = await time(command, quick ? 1 : 3);
      }
    } finally {
      remove();
    }
    const better = 'lower';
    return {
      tables: [
        buildTable(
          'How long a contributor waits',
          Object.keys(warm),
          [
            { title: 'cold', unit: 's', better, samples: cold },
            { title: 'warm', unit: 's', better, samples: warm },
          ],
          note,
        ),
      ],
      goals: [],
      versions: readVersions(['@redocly/cli', '@stoplight/spectral-cli', '@biomejs/biome', 'openapi-typescript']),
    };
  },
};
