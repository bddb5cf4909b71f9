/**
 * Reports whether the readable cookie of a session is there. Without one nobody is signed in, and
 * the page need not ask.
 */
export function hasSessionCookie(cookies: string): boolean {
  return cookies.split(';').some((cookie) => /^(?:__Host-)?footnote_csrf=./.test(cookie.trim()));
}
