/** A question and the passage that answers it, in the style of indexed content. */
export interface CalibrationPair {
  readonly question: string;
  readonly path: string;
  readonly passage: string;
}

/** Each passage answers its own question and none of the others. */
export const CALIBRATION_PAIRS: readonly CalibrationPair[] = [
  {
    question: 'how long does the client wait before it tries a failed request again',
    path: 'src/http/backoff.ts',
    passage:
      'export function delayOf(attempt: number): number {\n  return Math.min(30_000, 500 * 2 ** attempt);\n}',
  },
  {
    question: 'where are passwords hashed',
    path: 'auth/credentials.py',
    passage:
      'def store_secret(user, plain):\n    user.digest = argon2.hash(plain, time_cost=3)\n    user.save()',
  },
  {
    question: 'which image formats can be uploaded',
    path: 'docs/media.md',
    passage:
      'Pictures are taken as PNG, JPEG or WebP, up to 8 MB each. Other files are refused with status 415.',
  },
  {
    question: 'compute the shortest route between two stations',
    path: 'routing/dijkstra.go',
    passage:
      'func Path(g Graph, from, to Node) []Node {\n\tdist := map[Node]int{from: 0}\n\theap := newHeap(from)',
  },
  {
    question: 'how do I undo the last database migration',
    path: 'docs/schema.md',
    passage:
      'Run `dbtool rollback` to revert the newest schema change; `--steps 3` goes further back.',
  },
  {
    question: 'convert a temperature to fahrenheit',
    path: 'lib/units.rb',
    passage: 'def to_f(celsius)\n  celsius * 9.0 / 5 + 32\nend',
  },
  {
    question: 'why does the session expire after half an hour',
    path: 'config/web.yaml',
    passage:
      'session:\n  store: redis\n  idle_timeout: 30m\n  cookie: { http_only: true, same_site: lax }',
  },
  {
    question: 'send an email when an invoice is overdue',
    path: 'billing/Reminder.java',
    passage:
      'void remind(Invoice invoice) {\n  if (invoice.dueOn().isBefore(today())) mailer.send(template("late"), invoice);\n}',
  },
  {
    question: 'how are log files rotated',
    path: 'ops/logging.md',
    passage:
      'A new file is begun each midnight or at 100 MB; the last fourteen are kept, older ones are deleted.',
  },
  {
    question: 'parse a date written in ISO 8601',
    path: 'src/time/parse.rs',
    passage:
      "pub fn from_iso(text: &str) -> Option<Instant> {\n    let (day, clock) = text.split_once('T')?;",
  },
  {
    question: 'limit the number of requests of each customer',
    path: 'gateway/throttle.ts',
    passage:
      'const bucket = buckets.get(tenant) ?? new TokenBucket(100, 60_000);\nif (!bucket.take()) throw new TooMany();',
  },
  {
    question: 'what do I need to build the project on Windows',
    path: 'BUILDING.md',
    passage:
      'On Windows install Visual Studio 2022 with the C++ workload, then run `cmake --preset msvc`.',
  },
  {
    question: 'draw a bar chart from monthly sales',
    path: 'report/plot.py',
    passage: 'ax.bar(months, revenue, color="teal")\nax.set_ylabel("sales")\nfig.savefig(target)',
  },
  {
    question: 'remove duplicate entries from a sorted list',
    path: 'collections/unique.c',
    passage:
      'size_t compact(int *items, size_t n) {\n  size_t kept = 1;\n  for (size_t i = 1; i < n; i++)',
  },
  {
    question: 'in which order do the lights of the crossing change',
    path: 'sim/Signal.kt',
    passage: 'val cycle = listOf(Phase.GREEN to 25, Phase.AMBER to 4, Phase.RED to 31)',
  },
  {
    question: 'encrypt a file with a public key',
    path: 'crypto/seal.go',
    passage:
      'func Seal(recipient *PublicKey, plain []byte) ([]byte, error) {\n\tnonce := random(24)\n\treturn box.Seal(nonce, plain, recipient)',
  },
  {
    question: 'how to translate the user interface into another language',
    path: 'docs/localisation.md',
    passage:
      'Copy `messages.en.json` to your locale, change the texts, and list the locale in `i18n.config`.',
  },
  {
    question: 'find all files that changed since the last backup',
    path: 'backup/scan.py',
    passage:
      'for entry in walk(root):\n    if entry.mtime > previous.finished_at:\n        yield entry.path',
  },
  {
    question: 'what happens to a message that cannot be processed',
    path: 'queue/consumer.ts',
    passage:
      'if (delivery.attempts >= MAX) await deadLetters.put(delivery);\nelse await requeue(delivery, later(delivery.attempts));',
  },
  {
    question: 'resize a picture without distorting it',
    path: 'image/scale.cs',
    passage:
      'var ratio = Math.Min(maxWidth / (double)w, maxHeight / (double)h);\nreturn Resample(source, w * ratio, h * ratio);',
  },
];
