/**
 * The keys of a person in the ring: destroying them erases the person, as the tenant's erases all
 * of its people.
 */
export function personKeys(userId: string): string {
  return `person-${userId}`;
}
