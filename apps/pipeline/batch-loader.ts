import { sleep } from '#platform';

export interface BatchLoaderOptions {
  /** From the end of a query of several questions to the next of the same group, milliseconds. */
  readonly pauseMs: number;
  /** Questions of one query at most. */
  readonly most: number;
}

interface Question<Key, Answer> {
  readonly key: Key;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers many questions with few queries. The first question of a group is sent at once. Questions
 * that arrive during a query of its group share the next one. So do those that arrive in the pause
 * after a shared query.
 */
export class BatchLoader<Key, Answer> {
  private readonly groups = new Map<string, Question<Key, Answer>[]>();

  /** @param query gives the answers in the order of the keys, all of one group. */
  constructor(
    private readonly query: (group: string, keys: readonly Key[]) => Promise<readonly Answer[]>,
    private readonly options: BatchLoaderOptions,
  ) {}

  /** @throws what the query throws that the question was part of. */
  ask(group: string, key: Key): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const question = { key, resolve, reject };
      const waiting = this.groups.get(group);
      if (waiting) return void waiting.push(question);
      const first = [question];
      this.groups.set(group, first);
      void this.answer(group, first);
    });
  }

  private async answer(group: string, waiting: Question<Key, Answer>[]): Promise<void> {
    const { pauseMs, most } = this.options;
    while (waiting.length > 0) {
      const asked = waiting.splice(0, most);
      try {
        const answers = await this.query(
          group,
          asked.map(({ key }) => key),
        );
        // One query answers all, so there is an answer for each.
        asked.forEach(({ resolve }, at) => resolve(answers[at] as Answer));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
      // A single question delays no other.
      if (asked.length > 1) await sleep(pauseMs, undefined, { unref: true });
    }
    this.groups.delete(group);
  }
}
