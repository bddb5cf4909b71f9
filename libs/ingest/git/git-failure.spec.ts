import { describe, expect, it } from '@jest/globals';

import { gitFailure } from './git-failure.js';

const URL = 'https://git.example/a.git';
const reported = (...stderr: readonly string[]) => {
  const { message, retryable, details } = gitFailure(
    { url: URL, sendsCredentials: false },
    stderr.join('\n'),
  );
  expect(details?.['url']).toBe(URL);
  return [message.replace(URL, 'URL'), retryable, details?.status_code];
};

/** Messages of git 2.39 about servers that do so. */
const SAID: readonly (readonly [string, readonly string[], readonly [string, boolean, number?]])[] =
  [
    [
      'a byte of the pack is another',
      ['fatal: pack has bad object at offset 151: inflate returned -3', 'fatal: index-pack failed'],
      ['The pack that URL sent is damaged', true],
    ],
    [
      'the pack begins otherwise',
      ['fatal: protocol error: bad pack header'],
      ['The pack that URL sent is damaged', true],
    ],
    [
      'the connection breaks',
      [
        'error: RPC failed; curl 18 transfer closed with outstanding read data remaining',
        'error: 20175 bytes of body are still expected',
        'fetch-pack: unexpected disconnect while reading sideband packet',
        'fatal: early EOF',
        'fatal: index-pack failed',
      ],
      ['URL broke off while it was fetched', true],
    ],
    [
      'a small pack breaks off',
      ['error: inflate: data stream error', 'fatal: early EOF', 'error: inflate returned -5'],
      ['URL broke off while it was fetched', true],
    ],
    [
      'a page stands in for the answer',
      [
        'fatal: remote-curl: bad line length character: <htm',
        'fatal: the remote end hung up unexpectedly',
      ],
      ['URL answers git with something that git does not understand', true],
    ],
    [
      'the fetch is redirected',
      [
        'error: RPC failed; HTTP 302 curl 22 The requested URL returned error: 302',
        "fatal: expected 'packfile'",
      ],
      ['URL redirects git while it fetches, which is not followed', false, 302],
    ],
    [
      'the fetch is refused for now',
      [
        'error: RPC failed; HTTP 503 curl 22 The requested URL returned error: 503',
        "fatal: expected 'packfile'",
      ],
      ['URL answered 503', true, 503],
    ],
    [
      'a name is gone',
      ["fatal: unable to access '…': Could not resolve host: x"],
      ['The host of URL cannot be found', true],
    ],
    [
      'an object is malformed',
      [
        'error: object 1: treeNotSorted',
        'fatal: fsck error in packed object',
        'fatal: index-pack failed',
      ],
      ['URL has objects that git finds malformed', false],
    ],
    [
      'the disk is full',
      ['fatal: write error: No space left on device', 'fatal: index-pack failed'],
      ['The disk is full', true],
    ],
    [
      'the failure is unknown',
      ['fatal: something new'],
      ['git could not read URL: fatal: something new', true],
    ],
  ];

describe('gitFailure', () => {
  it.each(SAID)('returns a sentence when %s', (_, stderr, [message, retryable, status]) => {
    expect(reported(...stderr)).toEqual([message, retryable, status]);
  });
});
