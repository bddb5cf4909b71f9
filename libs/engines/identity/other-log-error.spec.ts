import { describe, expect, it } from '@jest/globals';

import { loadConfig, type LogId } from '#platform';

import { dataFolders } from '../data-folders.js';
import { classify, type StoreStanding } from './classify-stores.js';
import { otherLog } from './other-log-error.js';
import { placesOf } from './stores.js';

const OURS = '0190b5e4-7b1d-5000-8000-00000000000a' as LogId;
const THEIRS = '0190b5e4-7b1d-5000-8000-00000000000b' as LogId;
const SERVERS = {
  EVENTSTORE_URL: 'esdb://admin:changeit@log.example:2113',
  DATABASE_URL: 'postgres://footnote:changeit@db.example/footnote',
  S3_ENDPOINT: 'https://s3.example',
  S3_ACCESS_KEY_ID: 'footnote',
  S3_SECRET_ACCESS_KEY: 'changeit',
  MASTER_KEY: '0f'.repeat(32),
};

function sentence(
  variables: Record<string, string>,
  log: LogId | null,
  stores: readonly StoreStanding[],
): string {
  const config = loadConfig({ DATA_DIR: '/data', ...variables }, '/');
  const standing = classify(log, stores);
  return otherLog(
    standing,
    standing.refused,
    placesOf(config, dataFolders('/data')),
    config.dataDir,
  ).message;
}

const bound = (store: StoreStanding['store'], boundTo: LogId): StoreStanding => ({
  store,
  boundTo,
  isEmpty: false,
});
const filled = (store: StoreStanding['store']): StoreStanding => ({
  store,
  boundTo: null,
  isEmpty: false,
});

describe('the error of a start with another log', () => {
  it('names folders and DATA_DIR of embedded stores', () => {
    expect(
      sentence({}, null, [bound('readModel', THEIRS), bound('blobs', THEIRS), filled('queue')]),
    ).toBe(
      `The event log (DATA_DIR/log) is empty, but read models (DATA_DIR/read-models) and content (DATA_DIR/blobs) belong to log ${THEIRS} ` +
        'and work queue (DATA_DIR/queue) is not empty; nothing was changed: put the right log back, or correct DATA_DIR (/data), ' +
        'or run `npm run adopt` to bind them to the log that is there.',
    );
  });

  it('names variables of stores on servers, each expected log, and no credential', () => {
    const third = '0190b5e4-7b1d-5000-8000-00000000000c' as LogId;
    const said = sentence(SERVERS, OURS, [
      bound('readModel', THEIRS),
      bound('blobs', third),
      bound('queue', OURS),
    ]);
    expect(said).toBe(
      `The event log (EVENTSTORE_URL) is log ${OURS}, but read models (DATABASE_URL) belong to log ${THEIRS} ` +
        `and content (S3_ENDPOINT, S3_BUCKET) belongs to log ${third}; nothing was changed: put the right log back, ` +
        'or correct EVENTSTORE_URL, DATABASE_URL, S3_ENDPOINT or S3_BUCKET, or run `npm run adopt` to bind them to the log that is there.',
    );
    expect(said).not.toMatch(/changeit|example/);
  });
});
