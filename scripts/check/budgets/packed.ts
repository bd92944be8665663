import { npm } from '../runtimes/package.ts';

/**
 * Size in bytes of the file that npm downloads for a package.
 *
 * @param what - `.` for the package in this folder, or `ky@2.1.0` for one from the registry
 */
export async function measurePacked(what: string, folder: string): Promise<number> {
  // Skips lifecycle scripts, so that the built and tested files are packed.
  const output = await npm(['pack', what, '--dry-run', '--ignore-scripts', '--prefer-offline', '--json'], folder);
  const [packed]: { size: number }[] = JSON.parse(output);
  if (!packed) throw new Error(`npm created no package file of ${what}`);
  return packed.size;
}
