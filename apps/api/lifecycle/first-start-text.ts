/** Returns the text for the operator's terminal after the first start on an empty store. */
export function firstStartText(madeKey: string, ownerLink: string | null): string {
  const link =
    ownerLink === null
      ? ''
      : `Open this link to become the owner (works once, within seven days): ${ownerLink}\n`;
  return `\nFirst API key (shown this once): ${madeKey}\n${link}\n`;
}
