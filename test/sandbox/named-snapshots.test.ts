import { expect, test } from 'vitest';
import { NamedSnapshots } from '../../src/sandbox/named-snapshots.ts';
import type { SnapshotInput } from '../../src/sandbox/snapshot.ts';
import type { WorldStore } from '../../src/sandbox/world-store.ts';

const sizedContent = (characters: number): SnapshotInput =>
  ({ state: { crm: { boards: [{ id: 1, name: 'x'.repeat(characters) }] } } }) as SnapshotInput;

test('a snapshot that the store refuses to replace stays, and counts towards the limit', async () => {
  const snapshots = new NamedSnapshots(1_000);
  const kept = sizedContent(700);
  await snapshots.put('kept', kept);
  const full: Partial<WorldStore> = { putSnapshot: () => Promise.reject(new Error('The disk is full.')) };
  snapshots.store = full as WorldStore;
  await expect(snapshots.put('kept', sizedContent(10))).rejects.toThrow('The disk is full.');
  snapshots.store = undefined;
  expect(snapshots.get('kept')).toBe(kept);
  await expect(snapshots.put('other', sizedContent(700))).rejects.toThrow(
    'The snapshots of a world here can take 1000 characters.',
  );
  await snapshots.put('other', sizedContent(100));
  expect(snapshots.names).toEqual(['kept', 'other']);
});
