export { git, readDocuments } from './texts/repository-files.js';
export { openRepositories } from './texts/read-repositories.js';
export { plainSubject } from './texts/commit-subject.js';
export { takeDocstrings } from './texts/take-docstrings.js';
export { DistilError } from './distil-error.js';
export { distil, type Distilled } from './distil.js';
export { DISTIL_DEFAULTS, type DistilSettings } from './distil-settings.js';

export { openTeacher } from './teacher/teacher.js';
