import { Inject, Injectable } from '@nestjs/common';

import { JOB_EVENT_TYPES } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';

import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { StreamActivity } from '../streams/stream-activity.js';

/** Reports which jobs have new events. */
@Injectable()
export class JobActivity extends StreamActivity {
  constructor(projections: InMemoryProjections, @Inject(EVENT_STORE) store: EventStore) {
    super(projections, store, { name: 'job-activity', types: JOB_EVENT_TYPES, prefix: 'job-' });
  }
}
