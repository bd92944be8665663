/** Says that a base URL is no address, or a path outside a page. */
export function explainBaseUrl(baseUrl: string): string {
  const hint = baseUrl.startsWith('/') ? '; a path works in a page, not on a server' : '';
  return `baseUrl must be an address such as https://api.example.com${hint}`;
}
