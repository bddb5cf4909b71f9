/**
 * Returns the name of a person's keys in the ring: destroying them erases the person, like the
 * tenant's keys erase all its people.
 */
export function personKeys(userId: string): string {
  return `person-${userId}`;
}
