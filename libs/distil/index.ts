export { git, readDocuments, type ReadOptions } from './texts/repository-files.js';
export { openRepositories, type Repository } from './texts/read-repositories.js';
export { plainSubject } from './texts/commit-subject.js';
export { takeDocstrings, type DocumentedFunction } from './texts/take-docstrings.js';
export { DistilError } from './distil-error.js';
export { distil, type Distilled, type DistilDependencies } from './distil.js';
export { DISTIL_DEFAULTS, type DistilSettings } from './distil-settings.js';
export { FIT_DEFAULTS, type FitSettings } from './fit/fit-rows.js';
export { openTeacher, type Teacher, type TeacherOptions } from './teacher/teacher.js';
