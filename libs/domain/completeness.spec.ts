import { describe, expect, it } from '@jest/globals';

import { EVENT_DEFINITIONS } from '#contracts';

import { checkDomain } from './completeness.js';
import { STREAM_KINDS } from './streams.js';

const kind = (commands: string[], events: string[]) => ({
  commands: Object.fromEntries(commands.map((type) => [type, true])),
  events: Object.fromEntries(events.map((type) => [type, true])),
});

describe('completeness of the domain', () => {
  it('holds as shipped', () => {
    expect(() => checkDomain({ kinds: STREAM_KINDS, definitions: EVENT_DEFINITIONS })).not.toThrow();
  });

  it.each([
    ['an event without a schema', { a: kind(['Do'], ['Done']) }, [], 'Event Done of stream kind a has no schema'],
    ['an event without a stream', { a: kind(['Do'], []) }, ['Done'], 'Event Done belongs to no stream kind'],
    ['two schemas of a type', { a: kind([], ['Done']) }, ['Done', 'Done'], 'Event Done is declared twice'],
    ['two kinds for a command', { a: kind(['Do'], []), b: kind(['Do'], []) }, [], 'Command Do is declared twice'],
  ])('refuses %s, and names it', (_, kinds, types, complaint) => {
    const definitions = types.map((type) => ({ type }));
    expect(() => checkDomain({ kinds, definitions })).toThrow(complaint);
  });
});
