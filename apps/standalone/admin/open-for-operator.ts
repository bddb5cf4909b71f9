import { createProjector } from '#apps/projector/projector';
import { ALL_ENGINES, openEngines } from '#engines';
import type { Config, Logger } from '#platform';

import { adminOperations } from './operations.js';

/** The engines of a data folder that nobody owns at the moment, opened for one command. */
export interface OpenedForOperator {
  run(name: string, parameters: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the engines. A folder that nobody owns has its read models caught up first, as the running service would have them;
 * on servers the projectors do that. Starts no job.
 */
export async function openForOperator(config: Config, logger: Logger): Promise<OpenedForOperator> {
  const engines = await openEngines(config, logger, ALL_ENGINES);
  const projector = createProjector(engines);
  if (engines.leases.soleProcess) {
    await projector.start();
    await projector.caughtUp();
  }
  const operations = adminOperations(engines, { projector, pipeline: null });
  return {
    run: (name, parameters) => {
      const operation = operations[name];
      if (!operation) throw new Error(`There is no operation ${JSON.stringify(name)}`);
      return operation(parameters);
    },
    close: async () => {
      await projector.stop();
      await engines.close();
    },
  };
}
