import { describe, it } from '@jest/globals';

import { specify } from '#test/support/decider-spec';

import { addressDecider } from './address.decider.js';
import { fingerprintKeyDecider } from './fingerprint-key.decider.js';

const { given } = specify(addressDecider);
const of = (user_id: string) => ({ user_id });
const reserved = (user_id: string) => ({ type: 'AddressReserved', data: of(user_id) }) as const;
const released = (user_id: string) => ({ type: 'AddressReleased', data: of(user_id) }) as const;

describe('a sign-in name', () => {
  it('has one owner at a time', () => {
    given()
      .when({ type: 'ReserveAddress', data: of('a') })
      .then(reserved('a'));
    given(reserved('a'))
      .when({ type: 'ReserveAddress', data: of('a') })
      .thenNothingHappened();
    given(reserved('a'))
      .when({ type: 'ReserveAddress', data: of('b') })
      .thenRefused('address_taken');
    given(reserved('a'), released('a'))
      .when({ type: 'ReserveAddress', data: of('b') })
      .then(reserved('b'));
  });

  it('is released by its owner alone', () => {
    given(reserved('a'))
      .when({ type: 'ReleaseAddress', data: of('a') })
      .then(released('a'));
    given(reserved('a'))
      .when({ type: 'ReleaseAddress', data: of('b') })
      .thenNothingHappened();
    given(reserved('a'), released('a'))
      .when({ type: 'ReleaseAddress', data: of('a') })
      .thenNothingHappened();
  });
});

describe('the key of the fingerprints', () => {
  it('is created once per log', () => {
    const keys = specify(fingerprintKeyDecider);
    const make = (sealed: string) => ({ type: 'MakeFingerprintKey', data: { sealed } }) as const;
    const made = { type: 'FingerprintKeyMade', data: { sealed: 'first' } } as const;
    keys.given().when(make('first')).then(made);
    keys.given(made).when(make('second')).thenNothingHappened();
  });
});
