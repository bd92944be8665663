import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryAddress } from '../../scripts/docs/guides.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const read = (file: string) => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8'));
const root = read('package.json');
const packages = listPackages();
const names = packages.map(({ name }) => name);

describe.each(packages.map((one) => [one.name, read(`${one.folder}/package.json`), one.folder] as const))(
  '%s',
  (_, manifest, folder) => {
    it('has the version of the workspace, and requires this version of the other packages', () => {
      expect(manifest.version).toBe(root.version);
      const needed = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
      const own = needed.filter(([name]) => names.includes(name));
      expect(own).toEqual(own.map(([name]) => [name, root.version]));
    });

    it('pins each dependency', () => {
      expect(
        Object.values(manifest.dependencies ?? {}).filter((range) => !/^\d+\.\d+\.\d+$/.test(String(range))),
      ).toEqual([]);
    });

    it("has addresses derived from the workspace's repository, or none if the owner has not set it", () => {
      const { repository, homepage, bugs } = manifest;
      const address = repositoryAddress(JSON.stringify(root));
      const expected = address && {
        repository: { type: 'git', url: `git+${address}.git`, directory: folder },
        homepage: `${address}/tree/HEAD/${folder}#readme`,
        bugs: `${address}/issues`,
      };
      expect({ repository, homepage, bugs }).toEqual(
        expected ?? { repository: undefined, homepage: undefined, bugs: undefined },
      );
    });
  },
);
