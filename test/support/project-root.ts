import { fileURLToPath } from 'node:url';

/**
 * The folder of the project's sources: tests run as compiled, three levels below it
 * (`dist/test/support`).
 */
export const PROJECT_ROOT = fileURLToPath(new URL('../../../', import.meta.url));
