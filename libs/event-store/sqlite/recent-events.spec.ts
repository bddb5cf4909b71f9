import { describe, expect, it } from '@jest/globals';

import { RecentEvents } from './recent-events.js';

describe('RecentEvents', () => {
  const events = new RecentEvents();
  events.note({ position: 2, category: 'job', types: ['JobRequested', 'JobStageStarted'] });
  events.note({ position: 3, category: 'quota', types: ['QuotaConsumed'] });

  it('is certain of what it saw, by type and by category', () => {
    expect(events.hasNothingFor({ types: ['JobCompleted'] }, 0, 3)).toBe(true);
    expect(events.hasNothingFor({ types: ['JobStageStarted'] }, 0, 3)).toBe(false);
    expect(events.hasNothingFor({ types: ['JobStageStarted'] }, 2, 3)).toBe(true);
    expect(events.hasNothingFor({ categories: ['source'] }, 0, 3)).toBe(true);
    expect(events.hasNothingFor({ categories: ['quota'] }, 0, 3)).toBe(false);
    expect(events.hasNothingFor({ types: ['QuotaConsumed'], categories: ['job'] }, 0, 3)).toBe(true);
    expect(events.hasNothingFor({}, 2, 3)).toBe(false);
  });

  it('is not certain of what it did not see', () => {
    expect(events.hasNothingFor({ types: ['JobCompleted'] }, 0, 4)).toBe(false);
    expect(new RecentEvents().hasNothingFor({ types: ['JobCompleted'] }, 0, 1)).toBe(false);
  });

  it('forgets the oldest, and knows that it did', () => {
    const many = new RecentEvents();
    for (let position = 1; position <= 10_000; position += 1) {
      many.note({ position, category: 'quota', types: ['QuotaConsumed'] });
    }
    expect(many.hasNothingFor({ types: ['JobCompleted'] }, 9_000, 10_000)).toBe(true);
    expect(many.hasNothingFor({ types: ['JobCompleted'] }, 5_000, 6_000)).toBe(false);
    expect(many.hasNothingFor({ types: ['JobCompleted'] }, 5_000, 10_000)).toBe(false);
  });
});
