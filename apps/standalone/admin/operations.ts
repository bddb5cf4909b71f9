import { inviteOwner } from '#apps/api/invitations/invite-owner';
import { changeLegalHold } from '#apps/api/legal-hold/change-legal-hold';
import { changePlan } from '#apps/api/tenants/change-plan';
import {
  createTenantWithKey,
  issueFurtherKey,
  type TenantWithKey,
} from '#apps/api/tenants/create-tenant';
import type { Pipeline } from '#apps/pipeline/pipeline';
import type { Projector } from '#apps/projector/projector';
import { isHeld } from '#domain';
import type { Engines } from '#engines';
import { uuidv7 } from '#platform';
import { listLiveSources, listTenants, type ProjectionName } from '#read-model';
import { createTransparency } from '#transparency';

import { backUp } from './backup-operation.js';
import { checkpointCheck } from './checkpoint-check.js';
import { examine } from './doctor-operation.js';
import { eraseByOperator } from './erase-operation.js';
import { exportTrail } from './export-trail-operation.js';
import { identityChecks, withChecks } from './identity-checks.js';
import { keyRingCheck } from './key-ring-check.js';
import { legalHoldCheck } from './legal-hold-check.js';
import { operatorOf } from './operator/operator.js';
import { operatorTrail } from './operator/operator-trail.js';
import { type OperatorRun, recordedRun } from './operator/recorded-run.js';
import { rotateAuditKey } from './rotate-audit-key.js';
import type { AdminOperations } from './socket.js';

/**
 * The parts of the running service that operations use; a command on a folder without owner starts
 * no pipeline.
 */
export interface OperationDependencies {
  readonly projector: Projector;
  readonly pipeline: Pipeline | null;
}

const MAX_NAME_LENGTH = 200;
/** As the API accepts it. */
const MAX_REASON_LENGTH = 500;

/** Does what an operator's command asks for. */
type Act = (parameters: Record<string, unknown>, run: OperatorRun) => Promise<unknown>;

/**
 * Returns all operations of the process that owns the data folder. Those that act are recorded in
 * the trail of the operator.
 */
export function adminOperations(
  engines: Engines,
  dependencies: OperationDependencies,
): AdminOperations {
  const acts = Object.entries(actsOf(engines, dependencies)).map(([command, act]) => {
    const operation = (parameters: Record<string, unknown>) => {
      const { operator, tenant_id: tenantId = null } = parameters;
      const named = typeof tenantId === 'string' ? tenantId : null;
      return recordedRun(
        engines,
        { command, operator: operatorOf(operator), tenantId: named },
        (run) => act(parameters, run),
      );
    };
    return [command, operation] as const;
  });
  return { ...Object.fromEntries(acts), ...readsOf(engines, dependencies) };
}

function actsOf(
  engines: Engines,
  { projector, pipeline }: OperationDependencies,
): Readonly<Record<string, Act>> {
  const { eventStore, embeddedLog, clock, logger, blobs, keyRing, folders, identity } = engines;
  return {
    'create-tenant': async ({ name }, run) => {
      return shown(await createTenantWithKey(eventStore, clock, nameOf(name), uuidv7(), run));
    },
    'issue-key': async ({ tenant_id: tenantId }, run) => {
      if (typeof tenantId !== 'string') throw new Error('The id of the tenant is missing');
      return shown(await issueFurtherKey(eventStore, clock, tenantId, run));
    },
    'erase-tenant': async ({ tenant_id: tenantId, confirm }, run) => {
      if (typeof tenantId !== 'string' || typeof confirm !== 'string')
        throw new Error('The name of the tenant is missing');
      return eraseByOperator(
        { eventStore, clock, isRunning: pipeline !== null },
        tenantId,
        confirm,
        run,
      );
    },
    'legal-hold': async ({ tenant_id: tenantId, held, hold_reason: reason }, run) => {
      if (typeof tenantId !== 'string') throw new Error('The id of the tenant is missing');
      if (typeof held !== 'boolean') throw new Error('Held must be true or false');
      const commandId = uuidv7();
      const { state } = await changeLegalHold(
        { store: eventStore, keyRing, clock },
        {
          tenantId,
          held,
          reason: holdReasonOf(reason),
          commandId,
          origin: run,
        },
      );
      return { tenant_id: tenantId, held: isHeld(state) };
    },
    'change-plan': async ({ tenant_id: tenantId, plan }, run) => {
      if (typeof tenantId !== 'string') throw new Error('The id of the tenant is missing');
      const { plans } = engines.config.quota;
      if (typeof plan !== 'string' || !Object.hasOwn(plans, plan)) {
        throw new Error(`The plan must be one of ${Object.keys(plans).join(', ')} (QUOTA_PLANS)`);
      }
      await changePlan(eventStore, clock, tenantId, plan, run);
      return { tenant_id: tenantId, plan };
    },
    'invite-owner': async ({ tenant_id }, run) => {
      if (typeof tenant_id !== 'string') throw new Error('The id of the tenant is missing');
      const { tenantId, token, expiresAt } = await inviteOwner(eventStore, clock, tenant_id, run);
      return { tenant_id: tenantId, token, expires_at: expiresAt };
    },
    'rotate-audit-key': async ({ tenant_id: tenantId }, run) => {
      if (typeof tenantId !== 'string') throw new Error('The id of the tenant is missing');
      return rotateAuditKey(engines, tenantId, run);
    },
    'export-trail': async ({ tenant_id: tenantId, file }, run) => {
      if (typeof tenantId !== 'string') throw new Error('The id of the tenant is missing');
      if (typeof file !== 'string') throw new Error('The file of the export is missing');
      return exportTrail({ eventStore, clock, logger }, tenantId, file, run);
    },
    rebuild: () => projector.rebuild(),
    backup: async ({ directory }) => {
      if (typeof directory !== 'string') throw new Error('The folder of the backup is missing');
      const { s3, postgres } = engines.config.engines;
      if (!embeddedLog || s3 || postgres) {
        throw new Error(
          'Log, blobs or keys are on servers; back those up by their own means (docs/distributed.md)',
        );
      }
      return backUp(directory, {
        copyLog: (folder) => embeddedLog.copyTo(folder),
        logId: () => identity.logId(),
        blobs,
        keys: folders.keys,
        pauseCollection: (work) => (pipeline ? pipeline.pauseCollection(work) : work()),
        now: () => clock.now(),
      });
    },
  };
}

/** Returns the operations that change nothing. */
function readsOf(engines: Engines, { projector }: OperationDependencies): AdminOperations {
  const { eventStore, embeddedLog, readModel, blobs, searchIndex, keyRing, identity } = engines;
  return {
    'operator-trail': (parameters) => operatorTrail(engines, parameters),
    doctor: async () => {
      const report = await examine({
        verifyLog: embeddedLog ? () => embeddedLog.verify() : null,
        blobs,
        index: searchIndex,
        publishedSources: async () => {
          const { rows: sources } = await readModel.asOf('sources', listLiveSources);
          return sources.map(({ tenant_id, source_id, generation, name, manifest }) => ({
            tenantId: tenant_id,
            sourceId: source_id,
            generation,
            name,
            manifest,
          }));
        },
        tableSizes: () => readModel.tableSizes(),
        noteContent: (source, message) => projector.noteContent(source, message),
        projections: () =>
          Promise.all(
            projector.health().map(async ({ name, error }) => {
              const stored = await readModel.positionOf(name as ProjectionName);
              return { name, error, backed: stored === null || (await eventStore.reaches(stored)) };
            }),
          ),
      });
      const ring = await keyRingCheck({
        tenants: async () => (await readModel.asOf('tenants', listTenants)).rows,
        eventStore,
        keyRing,
        place: identity.places('keyRing').place,
      });
      const { rows: tenants } = await readModel.asOf('tenants', listTenants);
      const { keepers } = createTransparency({
        ...engines,
        store: eventStore,
        settings: engines.config.audit,
      });
      return withChecks(report, [
        ring,
        await legalHoldCheck(eventStore, tenants),
        await checkpointCheck({ store: eventStore, keepers, now: engines.clock.now() }, tenants),
        ...identityChecks(await identity.standing(), identity.places),
      ]);
    },
  };
}

function holdReasonOf(reason: unknown): string {
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new Error('Reason must not be blank');
  if (Array.from(reason).length > MAX_REASON_LENGTH)
    throw new Error(`Reason must have at most ${MAX_REASON_LENGTH} characters`);
  return reason;
}

function nameOf(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '') throw new Error('A tenant must have a name');
  if (name.length > MAX_NAME_LENGTH)
    throw new Error(`The name of a tenant must have at most ${MAX_NAME_LENGTH} characters`);
  return name.trim();
}

function shown({ tenantId, key }: TenantWithKey): { tenant_id: string; key: string } {
  return { tenant_id: tenantId, key };
}
