/** Normalises an address for comparison. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}
