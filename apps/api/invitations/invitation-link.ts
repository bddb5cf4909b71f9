/**
 * Returns the address where a browser accepts an invitation. The token is in the fragment, which
 * browsers send to nobody.
 */
export function invitationLink(serviceUrl: string, token: string): string {
  return `${serviceUrl.replace(/\/$/, '')}/ui/#/join/${token}`;
}
