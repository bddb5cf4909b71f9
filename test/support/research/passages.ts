import type { Observation, ResearchPassage } from '#research';

/** Fields of a sketched passage. */
export interface PassageSketch {
  readonly repo?: string;
  readonly path?: string;
  readonly symbol?: string;
  readonly line?: number;
  readonly content?: string;
  readonly score?: number;
  readonly isProse?: boolean;
}

/** Returns a passage as a search returns it; equal sketches give equal passages. */
export function passage(sketch: PassageSketch = {}): ResearchPassage {
  const {
    repo = 'pallets/flask',
    path = 'src/app.py',
    line = 1,
    content = 'x',
    score = 0.8,
    symbol,
  } = sketch;
  const citation = {
    chunk_id: `${repo}:${path}:${line}`,
    source_id: `source of ${repo}`,
    source_name: repo,
    path,
    ...(symbol === undefined ? {} : { symbol }),
    start_line: line,
    end_line: line + content.split('\n').length - 1,
    version_ref: '2ac89889f4cc330eabd50f295dcef02828522c69',
    language: 'python',
    chunk_type: sketch.isProse ? ('docs' as const) : ('code' as const),
    url: `https://github.com/${repo}/blob/2ac89889/${encodeURI(path)}#L${line}`,
  };
  const result = { content, score, token_count: content.length, citation };
  return { repo, result: { ...result, freshness_days: 0, is_stale: false } };
}

/** Returns the observation of a search for a question. */
export function observation(
  passages: readonly ResearchPassage[],
  purpose: Observation['action']['purpose'] = 'question',
): Observation {
  const action = { key: purpose, purpose, query: 'q', repositories: [], paths: [] };
  return { action: { ...action, isMultiHop: false }, passages };
}
