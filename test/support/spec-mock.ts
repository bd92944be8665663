import { loadPrismOperations } from '../../scripts/build/prism-operations.ts';
import type { Spec } from '../../scripts/spec/model.ts';
import { type LoadedMock, mockOf } from '../../src/mock/create-mock.ts';

/** A mock of `spec/` as it is now, or of other specs. `createMock` of the package answers those of the last build. */
export async function specMock(specs?: Spec[]): Promise<LoadedMock> {
  return mockOf(await loadPrismOperations(specs));
}
