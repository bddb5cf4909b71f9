export {
  SUPPORTS,
  type AnswerDraft,
  type ResearchAnswer,
  type ResearchCitation,
  type ResearchClaim,
  type ResearchSection,
  type Support,
} from './answer/answer.types.js';
export type { Manifest, ManifestEcosystem, ManifestFile } from './manifests/manifest.types.js';
export {
  ACTION_PURPOSES,
  type ActionPurpose,
  type Observation,
  type ResearchPassage,
  type SearchAction,
} from './plan/action.types.js';
export type { Contradiction, Coverage } from './plan/check.types.js';
export { isRepositoryName } from './plan/question-places.js';
export { QUESTION_KINDS, type QuestionKind, type Understanding } from './plan/question.types.js';
export type {
  AttachedRepository,
  RankedRepository,
  RepositoryCandidate,
} from './plan/repository.types.js';
export { understand } from './plan/understand.js';
