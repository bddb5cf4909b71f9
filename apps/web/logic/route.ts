/** A place in the page: segments of the path and parameters. */
export interface Route {
  readonly path: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Parses the fragment of an address, such as `#/search?q=blueprints`. Places are fragments because
 * browsers do not send those: queries and invitations stay out of the logs of proxies.
 */
export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Returns the fragment of a place; empty parameters are left out. */
export function routeFragment(
  path: readonly string[],
  params: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text && `?${text}`}`;
}

/** Returns the text as it is where it is no valid percent-encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
