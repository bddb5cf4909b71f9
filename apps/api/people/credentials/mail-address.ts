import { domainToASCII } from 'node:url';

/**
 * Returns the one form of an address that identifies accounts. Case and the spelling of Unicode
 * make no difference, so that no second account looks like the first.
 */
export function normalizedAddress(address: string): string {
  const text = address.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** Passwords that are easily guessed from the address. */
export function knownOf(email: string, ...others: readonly string[]): string[] {
  const address = normalizedAddress(email);
  return [address, address.slice(0, address.lastIndexOf('@')), ...others];
}
