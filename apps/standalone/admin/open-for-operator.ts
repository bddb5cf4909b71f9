import { createProjector } from '#apps/projector/projector';
import {
  ALL_ENGINES,
  dataFolders,
  type Engines,
  openEngines,
  OtherLogError,
  placesOf,
} from '#engines';
import type { Config, Logger } from '#platform';

import { refusedReport } from './identity-checks.js';
import { adminOperations } from './operations.js';
import { thisOperator } from './operator/operator.js';

/** The engines of a data folder without an owner, opened for one command. */
export interface OpenedForOperator {
  /** @param parameters may name the `operator`. Default: the user of this process. */
  run(name: string, parameters: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the engines. For a data folder without an owner, the read models are caught up first, like
 * in the running service; on servers the projectors do that. Starts no job. If log and stores do
 * not belong together, only `doctor` runs.
 */
export async function openForOperator(config: Config, logger: Logger): Promise<OpenedForOperator> {
  let engines: Engines;
  try {
    engines = await openEngines(config, logger, ALL_ENGINES);
  } catch (error) {
    if (error instanceof OtherLogError) return refused(error, config);
    throw error;
  }
  const projector = createProjector(engines);
  if (engines.leases.soleProcess) {
    await projector.start();
    await projector.caughtUp();
  }
  const operations = adminOperations(engines, { projector, pipeline: null });
  return {
    run: (name, parameters) => {
      const operation = operations[name];
      if (!operation) throw new Error(`Operation ${JSON.stringify(name)} not found`);
      return operation({ operator: thisOperator(), ...parameters });
    },
    close: async () => {
      await projector.stop();
      await engines.close();
    },
  };
}

function refused(error: OtherLogError, config: Config): OpenedForOperator {
  return {
    run: (name) => {
      if (name !== 'doctor') return Promise.reject(error);
      return Promise.resolve(refusedReport(error, placesOf(config, dataFolders(config.dataDir))));
    },
    close: () => Promise.resolve(),
  };
}
