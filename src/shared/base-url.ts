/** Returns the message for a base URL that is not an address, or is a path outside a web page. */
export function explainBaseUrl(baseUrl: string): string {
  const hint = baseUrl.startsWith('/') ? '; a path works only in a web page, not on a server' : '';
  return `baseUrl must be an address such as https://api.example.com${hint}`;
}
