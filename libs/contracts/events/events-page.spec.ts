import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { EVENT_DEFINITIONS } from '#contracts';

import { eventsPage } from './events-page.js';

describe('docs/events.md', () => {
  it('is generated from the definitions by `npm run docs`', () => {
    expect(readFileSync('docs/events.md', 'utf8')).toBe(eventsPage());
  });

  it('has every event', () => {
    for (const { type, version } of EVENT_DEFINITIONS)
      expect(eventsPage()).toContain(`## ${type}, version ${version}\n`);
  });
});
