import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { ApiKeysFollower } from '../auth/known-api-keys.js';
import type { Follower } from './in-memory-projection.js';
import { JobActivityFollower } from '../jobs/job-activity.js';
import { LiveSourcesFollower } from '../sources/live-sources.js';
import { PoliciesFollower } from '../policy/known-policies.js';

/** Starts all followers with the application, without waiting for them, and ends them with it. */
@Injectable()
export class Followers implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly all: readonly Follower[];

  constructor(
    keys: ApiKeysFollower,
    policies: PoliciesFollower,
    liveSources: LiveSourcesFollower,
    jobActivity: JobActivityFollower,
  ) {
    this.all = [keys, policies, liveSources, jobActivity].map(({ follower }) => follower);
  }

  get ready(): boolean {
    return this.all.every((follower) => follower.ready);
  }

  onApplicationBootstrap(): void {
    for (const follower of this.all) follower.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map((follower) => follower.stop()));
  }
}
