import type { Call, InputOf } from './call.types.js';
import type { AnyOperation } from './operation.types.js';

/** The name of the list in an answer. */
type ListIn<Answer> = {
  [Key in keyof Answer]-?: NonNullable<Answer[Key]> extends readonly unknown[] ? Key : never;
}[keyof Answer];

type Item<Answer, Key extends keyof Answer> =
  NonNullable<Answer[Key]> extends readonly (infer Each)[] ? Each : never;

/** The places at which the answers of the API say that there is more. */
interface AnyPage {
  readonly total?: number;
  readonly page?: number;
  readonly next?: number | null;
  readonly next_cursor?: string;
}

/** The parameter that continues each list with a `next`: two go back in time. */
export type NextParameter = 'after' | 'before';

/**
 * Yields every item of a list, page by page, for `for await`.
 * @param list name of the list in the answer
 * @param nextParameter parameter that takes `next` of an answer
 */
export async function* every<Op extends AnyOperation, Key extends ListIn<Op['answer']>>(
  call: Call<Op>,
  list: Key,
  input: InputOf<Op> = {} as InputOf<Op>,
  nextParameter: NextParameter = 'after',
): AsyncGenerator<Item<Op['answer'], Key>, void, undefined> {
  const page = call as unknown as (input: object) => Promise<Op['answer'] & AnyPage>;
  let query = (input as { readonly query?: Readonly<Record<string, unknown>> }).query ?? {};
  for (;;) {
    const answer = await page({ ...input, query });
    const items = (answer[list] ?? []) as readonly Item<Op['answer'], Key>[];
    yield* items;
    const further = items.length > 0 ? continuation(answer, query, items.length) : null;
    if (further === null) return;
    query =
      'next' in further ? { ...query, [nextParameter]: further.next } : { ...query, ...further };
  }
}

/** Returns the parameters of the next page; null behind the last. */
function continuation(
  { total, page, next, next_cursor: cursor }: AnyPage,
  query: Readonly<Record<string, unknown>>,
  count: number,
): Readonly<Record<string, unknown>> | null {
  if (cursor !== undefined) return { cursor };
  if (typeof next === 'number') return { next };
  if (total === undefined) return null;
  if (page !== undefined) {
    const perPage = Number(query['per_page'] ?? count);
    return page * perPage < total ? { page: page + 1 } : null;
  }
  const skip = Number(query['skip'] ?? 0) + count;
  return skip < total ? { skip } : null;
}
