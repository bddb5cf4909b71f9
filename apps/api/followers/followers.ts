import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { ApiKeysFollower } from './api-keys.follower.js';
import type { Follower } from './follower.js';
import { JobActivityFollower } from './job-activity.follower.js';
import { LiveSourcesFollower } from './live-sources.follower.js';
import { PoliciesFollower } from './policies.follower.js';

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
