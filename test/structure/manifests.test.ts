import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it, test } from 'vitest';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryAddress } from '../../scripts/docs/guides.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const read = (file: string) => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8'));
const root = read('package.json');
const packages = listPackages();
const names = packages.map(({ name }) => name);
/** The reasons are in `docs/decisions/0005-development-dependencies.md`. */
const exact = ['openapi-fetch', 'pg-boss'];

test('decision 0005 has a reason for each package that is held exactly', () => {
  const decision = readFileSync(join(repositoryRoot, 'docs/decisions/0005-development-dependencies.md'), 'utf8');
  const held = [...decision.matchAll(/^- \*\*`([^`]+)`\*\*: ./gm)].map(([, name]) => name);
  expect(held).toEqual(exact);
});

test('the lock has one exact version for each range, which satisfies it', () => {
  const lock = read('package-lock.json').packages;
  for (const { folder } of packages) {
    for (const [name, range] of Object.entries<string>(read(`${folder}/package.json`).dependencies ?? {})) {
      if (names.includes(name)) continue;
      const { version } = lock[`${folder}/node_modules/${name}`] ?? lock[`node_modules/${name}`];
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(satisfies(version, range), `${name} ${version} ${range}`).toBe(true);
    }
  }
});

describe.each(packages.map((one) => [one.name, read(`${one.folder}/package.json`), one.folder] as const))(
  '%s',
  (_, manifest, folder) => {
    it('has the version of the workspace, and requires this version of the other packages', () => {
      expect(manifest.version).toBe(root.version);
      const needed = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
      const own = needed.filter(([name]) => names.includes(name));
      expect(own).toEqual(own.map(([name]) => [name, root.version]));
    });

    it('depends on ranges, so that a security fix reaches users, except on the packages that decision 0005 holds exactly', () => {
      const others = Object.entries<string>(manifest.dependencies ?? {}).filter(([name]) => !names.includes(name));
      const isExact = (range: string) => /^\d+\.\d+\.\d+$/.test(range);
      expect(others.filter(([, range]) => isExact(range)).map(([name]) => name)).toEqual(
        others.map(([name]) => name).filter((name) => exact.includes(name)),
      );
      expect(others.filter(([, range]) => !isExact(range) && !/^\^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
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
