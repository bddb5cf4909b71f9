import { describe, expect, it, jest } from '@jest/globals';

import {
  checkConnectionString,
  dropsCredentials,
  firstHost,
  logName,
} from './connection-string.js';
import { guardedClient } from './guarded-client.js';

describe('a connection string', () => {
  it.each([
    'esdb://127.0.0.1:2113',
    'esdb://127.0.0.1:2113/?tls=false',
    'esdb+discover://user:a%40b%3Fc@cluster.example:2113?tls=true&tlsCAFile=%2Fca.pem',
    'esdb://one:2113,two:2113?TLS=true&tls_ca_file=ca.pem&node-preference=leader&maxDiscoverAttempts=3',
  ])('%s is accepted', (url) => {
    expect(() => checkConnectionString(url)).not.toThrow();
  });

  it.each([
    ['http://127.0.0.1:2113', 'begin with esdb'],
    ['esdb://127.0.0.1:2113?throwOnAppendFailure=false', 'throwOnAppendFailure must not be false'],
    ['esdb://user:secret@127.0.0.1:2113?tlsCaPath=/ca.pem', 'has no option tlscapath'],
    [
      'esdb://user:secret@127.0.0.1:2113?tls=true&tlsVerifyCert=false',
      'always checks certificates',
    ],
  ])('%s is rejected', (url, reason) => {
    expect(() => checkConnectionString(url)).toThrow(reason);
    expect(() => checkConnectionString(url)).not.toThrow(/secret/);
  });

  it('is rejected if malformed, and the error contains no part of it', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      guardedClient('esdb://user:sec#ret@127.0.0.1:2113,sec[ret]:1');
      throw new Error('It was accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toMatch(/malformed at character \d+, where .* is expected/);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/sec|ret\b/);
    }
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it.each([
    [
      'esdb+discover://user:p,w@cluster.example:2113?tls=true',
      'esdb://user:p,w@cluster.example:2113?tls=true',
    ],
    ['esdb://one:2113,two:2113/?tls=true', 'esdb://one:2113/?tls=true'],
    ['esdb://one,two,three', 'esdb://one'],
  ])('%s has a first host', (url, first) => {
    expect(firstHost(url)).toBe(first);
  });

  it.each([
    ['esdb+discover://user:p,w@cluster.example?tls=true', 'cluster.example:2113'],
    ['esdb://one:2113,two:2114,three/?tls=true', 'one:2113, two:2114, three:2113'],
    ['esdb://one', 'one:2113'],
  ])('%s is named by its hosts', (url, hosts) => {
    expect(logName(url)).toBe(`EventStoreDB at ${hosts}`);
  });

  it('with credentials and without TLS drops the credentials', () => {
    expect(dropsCredentials('esdb://user:secret@127.0.0.1:2113?tls=false')).toBe(true);
    expect(dropsCredentials('esdb://user:secret@127.0.0.1:2113?tls=true')).toBe(false);
    expect(dropsCredentials('esdb://user:secret@127.0.0.1:2113')).toBe(false);
    expect(dropsCredentials('esdb://127.0.0.1:2113?tls=false')).toBe(false);
  });
});
