import { describe, expect, it } from '@jest/globals';

import type { IdentitySettings } from '#platform';

import { providedPerson } from './provided-person.js';

const SETTINGS: IdentitySettings = {
  issuer: 'https://id.example.com',
  clientId: 'c',
  clientSecret: 's',
  redirectUri: 'https://x/auth/oidc/callback',
  mcpResource: 'https://x/mcp',
  scopes: 'openid',
  tenantId: 't',
  defaultRole: null,
  trustEmail: false,
  roleClaim: 'groups',
  roles: [
    { value: 'admins', role: 'owner' },
    { value: 'staff', role: 'member' },
    { value: 'books', role: 'auditor' },
  ],
};
const person = (claims: object, change: Partial<IdentitySettings> = {}) =>
  providedPerson(
    { iss: 'https://id.example.com', sub: 'ada', ...claims },
    { ...SETTINGS, ...change },
  );

describe('a person of the provider', () => {
  it('is who issuer and subject say', () => {
    const claims = {
      email: 'Ada@Example.com',
      email_verified: true,
      name: 'Ada',
      groups: ['staff'],
    };
    expect(person(claims)).toEqual({
      issuer: 'https://id.example.com',
      subject: 'ada',
      address: 'Ada@Example.com',
      displayName: 'Ada',
      role: 'member',
    });
  });

  it.each([
    [['books', 'staff', 'admins'], 'owner'],
    [['books', 'staff'], 'member'],
    ['books', 'auditor'],
    [['ADMINS', 'admin', 'admins '], null],
    [[], null],
    [undefined, null],
    [{ admins: true }, null],
    [[['admins'], 1, null], null],
  ])('with groups %j is %s: of the configured values the first that fits', (groups, role) => {
    expect(person({ groups }).role).toBe(role);
    expect(person({ groups }, { defaultRole: 'auditor' }).role).toBe(role ?? 'auditor');
  });

  it('has roles in a claim inside of others, or of a name with dots', () => {
    const roleClaim = 'realm_access.roles';
    expect(person({ realm_access: { roles: ['staff'] } }, { roleClaim }).role).toBe('member');
    expect(person({ [roleClaim]: 'staff' }, { roleClaim }).role).toBe('member');
    expect(
      person({ 'https://x.example/roles': ['staff'] }, { roleClaim: 'https://x.example/roles' })
        .role,
    ).toBe('member');
    for (const odd of ['constructor.name', '__proto__.x', 'realm_access.roles.0']) {
      expect(person({ realm_access: { roles: ['staff'] } }, { roleClaim: odd }).role).toBe(
        odd.endsWith('0') ? 'member' : null,
      );
    }
  });

  it.each([
    [{ email_verified: true }, 'a@example.com', 'a@example.com'],
    [{ email_verified: 'true' }, 'a@example.com', 'a@example.com'],
    [{ email_verified: false }, null, null],
    [{ email_verified: 'false' }, null, null],
    [{ email_verified: 1 }, null, 'a@example.com'],
    [{}, null, 'a@example.com'],
  ])('with %j has the address %s, and %s where it is trusted', (verified, address, trusted) => {
    const claims = { email: ' a@example.com', ...verified };
    expect(person(claims).address).toBe(address);
    expect(person(claims, { trustEmail: true }).address).toBe(trusted);
  });

  it.each([
    'nobody',
    'a@b',
    'a\u0000@example.com',
    `${'a'.repeat(300)}@example.com`,
    7,
    null,
    'a@example.com\u202e',
  ])('has no address %j', (email) => {
    expect(person({ email, email_verified: true }).address).toBeNull();
  });

  it.each(['', '  ', 'a\nb', 'x'.repeat(101), '\u202eadA', 7, null, undefined])(
    'has no name %j',
    (name) => {
      expect(person({ name }).displayName).toBeNull();
    },
  );
});
