import type { StageContext } from '#apps/pipeline/stages/stage.types';

/** Takes no parts, so that the stages of a sync run one after another. */
export const NOTHING_AHEAD: StageContext['ahead'] = {
  offer: () => undefined,
  resultOf: () => Promise.resolve(null),
  preparedOf: () => null,
  handOver: () => undefined,
};
