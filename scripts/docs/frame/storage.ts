/** Key of the stored cookies of pages from disk. */
const cookieKey = 'carillon.cookies';

/** A stored value; `undefined` if there is none. Browsers may deny storage to pages from disk. */
export function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value if the browser permits it. */
export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then ends with the page.
  }
}

/**
 * Redoc keeps the chosen language of samples in a cookie. Browsers give no cookies to pages from disk, so these go to the
 * storage, which the pages share.
 */
export function rememberOnDisk(): void {
  if (location.protocol !== 'file:') return;
  Object.defineProperty(document, 'cookie', {
    get: () => read(cookieKey) ?? '',
    set: (cookie: string) => {
      const [pair = ''] = cookie.split(';', 1);
      const [name = ''] = pair.split('=', 1);
      const others = (read(cookieKey) ?? '')
        .split('; ')
        .filter((other) => other !== '' && !other.startsWith(`${name}=`));
      write(cookieKey, [...others, pair].join('; '));
    },
  });
}
