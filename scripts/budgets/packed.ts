import { npm } from '../runtimes/package.ts';

/**
 * Bytes of the file that npm fetches for a package.
 *
 * @param what - `.` for the package of the folder, `ky@2.1.0` for one of the registry
 */
export async function measurePacked(what: string, folder: string): Promise<number> {
  // Without scripts: what is packed is what was built and tested.
  const output = await npm(['pack', what, '--dry-run', '--ignore-scripts', '--prefer-offline', '--json'], folder);
  const [packed]: { size: number }[] = JSON.parse(output);
  if (!packed) throw new Error(`npm packed nothing of ${what}`);
  return packed.size;
}
