/** Loads a script. A script tag works from disk, where browsers allow neither `fetch` nor modules. */
export function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = source;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`Could not load ${source}`));
    document.head.append(script);
  });
}
